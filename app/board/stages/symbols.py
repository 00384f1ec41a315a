"""The symbols of the page with their meanings; each symbol occurs once."""

from collections.abc import Iterable

from transformer_math import Trace
from transformer_math.graph.paths import TENSORS
from transformer_math.ops import IDENTITY

from ...explain.matrix_words import leaf_of
from ...model.scenario.scenario import Scenario
from .picture import adds

# The LaTeX of symbols, and their common meaning.
Explained = tuple[list[str], str]

ADDITION = "⊕"
SUBLAYER = "a sublayer"
UNUSUAL = ("unprojected", "multi_head")  # not in the picture


def symbols(scenario: Scenario, trace: Trace) -> list[Explained]:
    """Return the symbols of a pass, in the order in which their matrices are computed."""
    shown = (
        (path, tensor.symbol)
        for path, tensor in trace.tensors.items()
        if tensor.op is not IDENTITY and not any(f".{name}." in path for name in UNUSUAL)
    )
    found = _explained(shown)
    if any(path.endswith(".residual") for path in trace.tensors):
        found.append(([ADDITION], adds(SUBLAYER, scenario.settings.norm == "pre")))
    return found


def all_symbols() -> list[Explained]:
    """Return the symbols of any model."""
    known = (
        (f"{kind}.{leaf}", spec.symbol)
        for kind, leaves in TENSORS.items()
        if kind not in UNUSUAL
        for leaf, spec in leaves.items()
    )
    return [*_explained(known), ([ADDITION], adds(SUBLAYER, is_pre=True))]


def _explained(shown: Iterable[tuple[str, str]]) -> list[Explained]:
    """Group pairs of path and symbol by the meaning of the path."""
    found: dict[str, list[str]] = {}
    for path, symbol in shown:
        leaf = leaf_of(path)
        if leaf is not None and symbol not in found.setdefault(leaf.matrix, []):
            found[leaf.matrix].append(symbol)
    return [(each, words) for words, each in found.items()]
