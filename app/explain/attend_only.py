"""Makes an attention row whose only nonzero weight is on one token, and describes it."""

from collections.abc import Mapping, Sequence

from transformer_math import Trace
from transformer_math.ops.tensor import Index, head_path

from ..model.matrices.address import CellAddress
from ..model.matrices.resolved_cell import ResolvedCell, resolve
from ..model.scenario.scenario import Scenario
from . import labels


def heads(scenario: Scenario, weight: ResolvedCell, everywhere: bool) -> list[str]:
    """Return the paths of the weights (query, key) of one head, or of all heads of its sublayer."""
    if not everywhere:
        return [weight.path]
    return [head_path(weight.stored, k) for k in range(scenario.settings.heads)]


def only_at(scenario: Scenario, weight: ResolvedCell, everywhere: bool) -> Scenario:
    """Set the row of a weight to 1 at the weight's key and 0 elsewhere, in one or all heads."""
    keys = range(weight.tensor.shape[1])
    values: dict[tuple[int, ...], float] = {
        (weight.row, k): float(k == weight.column) for k in keys
    }
    for head in heads(scenario, weight, everywhere):
        scenario = scenario.with_values(head, values)
    return scenario


def sentence(scenario: Scenario, weight: ResolvedCell, everywhere: bool) -> str:
    """Describe the row in which this is the only weight: ``In head 1 of … looks only at …``."""
    tensor, tokens = weight.tensor, scenario.axis_tokens
    query, key = (
        labels.which_word(labels.axis_labels(tokens, weight.stored, axis, size), i)
        for axis, size, i in zip(tensor.dims, tensor.shape, weight.index, strict=True)
    )
    looks = f"{query} looks only at {key}"
    head = weight.head
    count, sublayer = scenario.settings.heads, _sublayer(scenario, weight.stored)
    if count == 1 or head is None:
        return f"In {sublayer} {looks}."
    if everywhere:
        return f"In every head of {sublayer} {looks}."
    others = [k + 1 for k in range(count) if k != head]
    rest = f"head {others[0]} looks" if len(others) == 1 else "the other heads look"
    return f"In head {head + 1} of {sublayer} {looks}; {rest} as before."


def only(scenario: Scenario, trace: Trace, cells: Sequence[tuple[str, Index, float]]) -> str:
    """Describe attention rows if the cells make all of them attend to one token; else empty.

    ``cells`` has the stored path, index and value of each number.
    """
    if any(not path.endswith(".weights") for path, _, _ in cells):
        return ""
    rows = {(path, index[:-1]) for path, index, _ in cells}
    on = [(path, index) for path, index, value in cells if value == 1]
    if not rows or len({(path, *at[1:]) for path, at in rows}) > 1 or len(on) != len(rows):
        return ""
    if len({index[-1] for _, index in on}) > 1 or any(value not in (0, 1) for *_, value in cells):
        return ""
    (stored, index), count = on[0], len(rows)
    if len(cells) != count * trace[stored].shape[-1] or 1 < count < scenario.settings.heads:
        return ""
    weight = resolve(trace, CellAddress(head_path(stored, index[0]), *index[1:]))
    return sentence(scenario, weight, count > 1).removesuffix(".")


def are_rows(trace: Trace, overrides: Mapping[str, Mapping[Index, float]]) -> bool:
    """Return whether the numbers are whole rows of weights, each with a single weight of 1."""
    rows: dict[tuple[str, Index], list[float]] = {}
    for path, values in overrides.items():
        if not path.endswith(".weights") or path not in trace:
            return False
        for index, value in values.items():
            rows.setdefault((path, index[:-1]), []).append(value)
    return bool(rows) and all(
        sorted(values) == [0.0] * (trace[path].shape[-1] - 1) + [1.0]
        for (path, _), values in rows.items()
    )


def _sublayer(scenario: Scenario, stored: str) -> str:
    """Return the shortest name of an attention sublayer that is unambiguous in its model."""
    layer, name = labels.place_words(stored).split(", ")
    stack = layer.split()[0]
    settings = scenario.settings
    if (settings.encoder_layers if stack == "encoder" else settings.decoder_layers) > 1:
        return f"{name} in {layer}"
    return name if name == "cross-attention" else f"the {stack}’s {name}"
