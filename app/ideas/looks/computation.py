"""Computes the data, sentences and edits of the picture of who may look at whom."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from transformer_math import Trace

from ...explain import labels
from ...model.matrices.attention import scopes
from ...model.scenario.scenario import Scenario
from ...typed_text import quoted
from ..settings import LooksSettings

LEAF = "weights"
MOST = 40  # the most rows and columns drawn


def looks_of(scenario: Scenario, trace: Trace) -> list[str]:
    """Return the paths of the weights of all heads, with the decoder's self-attention first."""
    known = sorted(scopes(trace), key=lambda scope: not _is_causal(scope))
    return [f"{scope}.head.{k}.{LEAF}" for scope in known for k in range(scenario.config.heads)]


def _is_causal(scope: str) -> bool:
    return scope.startswith("decoder") and scope.endswith("self_attn")


class Looked(NamedTuple):
    """The weights of one head."""

    path: str
    weights: np.ndarray  # (queries, keys), at most ``MOST`` of each
    hidden: np.ndarray  # (queries, keys), True where a mask hides a pair
    queries: list[str]
    keys: list[str]
    shown: int  # the number of rows shown


def looked(scenario: Scenario, trace: Trace, chosen: LooksSettings) -> Looked | None:
    """Return the weights of the chosen head, or of the first; None without attention."""
    paths = looks_of(scenario, trace)
    if not paths:
        return None
    path = chosen.weights if chosen.weights in paths else paths[0]
    tensor = trace[path]
    masked = trace[path.removesuffix(LEAF) + "masked_scores"]
    names = [scenario.axis_tokens.along(path, dim) or () for dim in tensor.dims]
    queries, keys = ([each or "∅" for each in labels.visible(name[:MOST])] for name in names)
    count = len(queries)
    return Looked(
        path,
        np.asarray(tensor.value[:MOST, :MOST], float),
        masked.value[:MOST, :MOST] == -np.inf,
        queries,
        keys,
        min(chosen.rows, count) if chosen.rows else count,
    )


def looks_data(
    scenario: Scenario, found: Looked, writes_now: Sequence[str] | None = None
) -> dict[str, Any]:
    """Return the data of the component `Looks`.

    ``writes_now`` has the likeliest next word of each row during a drag, when the text is not yet
    rewritten.
    """
    writes = [""] * len(found.queries)
    if found.path.startswith("decoder"):
        tokens = labels.visible(scenario.label_tokens if writes_now is None else writes_now)
        writes = [token or "∅" for token in tokens[: len(writes)]]
    rows = zip(found.queries, writes, found.weights, found.hidden, strict=True)
    return {
        "keys": found.keys,
        "rows": [
            {"label": label, "writes": word, "weights": w.tolist(), "hidden": h.tolist()}
            for label, word, w, h in rows
        ],
        "shown": found.shown,
        "settable": scenario.can_be_set(found.path),
    }


def looks_sentence(found: Looked) -> str:
    """State how many words the newest row may attend to, and how many pairs the mask hides."""
    at = found.shown - 1
    may = int((~found.hidden[at]).sum())
    is_own = _is_causal(found.path.partition(".head.")[0]) and not found.hidden[at, at]
    own = ", itself among them" if is_own else ""
    keys, best = len(found.keys), int(found.weights[at].argmax())
    said = (
        f"{quoted(found.queries[at])} may look at {may} of {keys} words{own}, and looks most at "
        f"{quoted(found.keys[best])}, with {found.weights[at, best]:.2f}. "
    )
    hidden = int(found.hidden.sum())
    if not hidden:
        return said + "No mask hides anything here: every word may look at every other."
    return said + (
        f"The mask hides {hidden} of {found.hidden.size} pairs: no row reads later words. So a "
        "row stays the same when words are added after it, and training can compute all rows "
        "at once."
    )


def weight_sentence(before: Looked, now: Looked, row: int, column: int) -> str:
    """Describe how a drag of one weight changed the weights of its row."""
    old, new = before.weights[row], now.weights[row]
    said = (
        f"You set how much {quoted(now.queries[row])} looks at {quoted(now.keys[column])} from "
        f"{old[column]:.2f} to {new[column]:.2f}."
    )
    moved = np.abs(new - old)
    moved[column] = 0
    most = int(moved.argmax())
    if not moved[most]:
        return said
    return (
        f"{said} The other weights of the row share the rest, so that the row still adds up to "
        f"1: {quoted(now.keys[most])} has {new[most]:.2f} instead of {old[most]:.2f}."
    )


def with_weight(scenario: Scenario, found: Looked, row: int, column: int, value: float) -> Scenario:
    """Set a weight and scale the rest of its row to sum 1; raise ValueError if it is masked."""
    rows, columns = found.weights.shape
    if row >= rows or column >= columns or found.hidden[row, column]:
        raise ValueError("There is no such weight, or the mask hides it.")
    share = min(1.0, max(0.0, value))
    now = found.weights[row]
    others = float(now.sum() - now[column])
    factor = (1 - share) / others if others > 0 else 0.0
    new: dict[tuple[int, ...], float] = {
        (row, k): float(x) * factor for k, x in enumerate(now) if not found.hidden[row, k]
    }
    new[row, column] = share
    return scenario.with_values(found.path, new)
