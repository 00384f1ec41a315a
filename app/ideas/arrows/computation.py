"""Computes the picture of queries and keys as arrows: one attention row, drawn in a plane."""

import math
from typing import NamedTuple

import numpy as np

from transformer_math import Trace
from transformer_math.explain.plane import Plane, plane_through, widest_plane

from ...model.matrices.attention import AttentionFocus
from ...model.scenario.scenario import Scenario
from ...number_text import fixed
from ...typed_text import quoted
from ..naming import named

SEEN = 0.001  # smaller changes of a weight are not mentioned


class QueryRow(NamedTuple):
    """One row of an attention head: a query, with all keys, scores, weights and values."""

    focus: AttentionFocus  # the head, the query, and the chosen key
    query: np.ndarray  # (d_k,)
    keys: np.ndarray  # (m, d_k)
    dots: np.ndarray  # the dot product of each key with the query, (m,)
    scores: np.ndarray  # the scaled dot products, (m,)
    hidden: np.ndarray  # whether the mask hides each key, (m,)
    weights: np.ndarray  # the attention weights, after dropout if it is on, (m,)
    values: np.ndarray  # (m, d_v)
    context: np.ndarray  # (d_v,)
    reader: str  # the word of the query
    words: tuple[str, ...]  # the words of the keys

    @property
    def shadows(self) -> np.ndarray:
        """The projection of each key onto the query's direction, (m,)."""
        length = float(np.linalg.norm(self.query))
        found: np.ndarray = self.keys @ self.query / length if length else np.zeros(len(self.keys))
        return found

    @property
    def sums(self) -> np.ndarray:
        """The cumulative sums of the weighted values, starting at 0: (m + 1, d_v)."""
        steps = self.weights[:, None] * self.values
        return np.concatenate([np.zeros((1, steps.shape[1])), np.cumsum(steps, axis=0)])


def row(scenario: Scenario, trace: Trace, focus: AttentionFocus) -> QueryRow:
    """Return the attention row that is in focus, in double precision."""
    scope, head, query, _ = focus

    def at(leaf: str) -> np.ndarray:
        found: np.ndarray = trace[f"{scope}.{leaf}"].value[head].astype(float)
        return found

    context = trace[f"{scope}.context"]
    mixed = context.inputs[0].value[head].astype(float)  # the weights, after dropout if it is on
    return QueryRow(
        focus,
        at("q")[query],
        at("k"),
        at("raw_scores")[query],
        at("scores")[query],
        np.isneginf(at("masked_scores")[query]),
        mixed[query],
        at("v"),
        at("context")[query],
        names(scenario, trace, scope, 1)[query],
        tuple(names(scenario, trace, scope, 2)),
    )


def telling(trace: Trace, scope: str) -> AttentionFocus:
    """Return the row whose second-largest weight is largest, and the key it attends to most.

    A row with all its weight on one key does not show how values are mixed.
    """
    weights = trace[f"{scope}.weights"].value  # (head, query, key)
    if weights.shape[-1] < 2:
        return AttentionFocus(scope)
    second = np.sort(weights, axis=-1)[..., -2]
    head, query = np.unravel_index(int(np.argmax(second)), second.shape)
    return AttentionFocus(scope, int(head), int(query), int(np.argmax(weights[head, query])))


def names(scenario: Scenario, trace: Trace, scope: str, axis: int) -> list[str]:
    """Return the words of an attention's queries (``axis`` 1) or keys (``axis`` 2)."""
    tensor = trace[f"{scope}.weights"]
    tokens = scenario.axis_tokens.along(f"{scope}.head.0.weights", tensor.dims[axis])
    return named(list(tokens or map(str, range(tensor.shape[axis]))))


def plane_of_keys(row: QueryRow, axes: str) -> Plane:
    """Return a plane of the arrows: through the query if ``axes`` is ``query``, else the widest."""
    if axes == "query":
        return plane_through(row.query, row.keys)
    return widest_plane(np.concatenate([row.query[None], row.keys]), np.zeros(len(row.query)))


def plane_of_values(row: QueryRow) -> Plane:
    """Return the plane through the context that shows the most of the weighted values."""
    return plane_through(row.context, row.weights[:, None] * row.values)


def sentence(row: QueryRow, plane: Plane) -> str:
    """Describe how the chosen key's projection onto the query becomes its weight."""
    seen = np.flatnonzero(~row.hidden)
    if not len(seen):
        return f"The mask hides every key from {quoted(row.reader)}."
    best = int(seen[np.argmax(row.dots[seen])])
    key = row.focus.key if row.focus.key in seen else best
    length = float(np.linalg.norm(row.query))
    dot, score, shadow = float(row.dots[key]), float(row.scores[key]), float(row.shadows[key])
    d_k = len(row.query)
    is_scaled = math.isclose(dot, score * math.sqrt(d_k), rel_tol=1e-3)
    root = f"{math.sqrt(d_k):.3g}"
    over = (
        f"; divided by √d_k = √{d_k} {equals(math.sqrt(d_k), root)} {root} (a key has d_k "
        f"numbers) it is {fixed(score, 2)}"
    )
    farthest = ", farther than any other" if key == best and len(seen) > 1 else ""
    share = round(100 * plane.share_of_lengths(np.concatenate([row.query[None], row.keys])))
    hidden = int(row.hidden.sum())
    masked = f" The mask hides {hidden} of {len(row.words)} keys." if hidden else ""
    drawn = ""
    if share < 100:
        drawn = (
            f" The plane shows {share} % of the arrows’ lengths; the rest points out of the screen."
        )
    product = equals(float(f"{shadow:.2f}") * float(f"{length:.2f}"), f"{dot:.2f}")
    return (
        f"Along the query of {quoted(row.reader)}, the key of {quoted(row.words[key] or '∅')} "
        f"reaches {fixed(shadow, 2)}{farthest}. Times the query’s length, {length:.2f}, this is "
        f"q·k {product} {fixed(dot, 2)}{over if is_scaled and d_k > 1 else ''}. Softmax makes it "
        f"a weight of {row.weights[key]:.3f}.{masked}{drawn}"
    )


def drag_sentence(before: QueryRow, now: QueryRow, index: int) -> str:
    """Describe how a drag of the query (0) or a key (from 1) changed the arrow and the weights."""
    old, new = (each.keys[index - 1] if index else each.query for each in (before, now))
    name = now.words[index - 1] if index else now.reader
    what = f"{'key' if index else 'query'} of {quoted(name or '∅')}"
    change = now.weights - before.weights
    order = np.argsort(-np.abs(change))
    first = index - 1 if index else int(order[0])
    moved = [first, *(int(k) for k in order if k != first and abs(change[k]) >= SEEN)][:2]
    weights = [
        f"{quoted(now.words[k] or '∅')} goes from {before.weights[k]:.3f} to {now.weights[k]:.3f}"
        for k in moved
    ]
    if not np.abs(change).max() >= SEEN:
        return f"You {_turned(old, new, what)}: no weight changes by {SEEN}."
    return f"You {_turned(old, new, what)}: the weight of {', that of '.join(weights)}."


def _turned(old: np.ndarray, new: np.ndarray, what: str) -> str:
    """State the angle by which an arrow was turned, and the change of its length."""
    lengths = float(np.linalg.norm(old)), float(np.linalg.norm(new))
    if not all(lengths):
        return f"moved the {what} from length {lengths[0]:.2f} to {lengths[1]:.2f}"
    cosine = float(old @ new) / (lengths[0] * lengths[1])
    angle = round(math.degrees(math.acos(min(1.0, max(-1.0, cosine)))))
    times = lengths[1] / lengths[0]
    longer = f"made it {times:.2f} times as long" if f"{times:.2f}" != "1.00" else ""
    if not angle:
        return longer.replace("it", f"the {what}", 1) or f"moved the {what} a little"
    return f"turned the {what} by {angle}°{f' and {longer}' if longer else ''}"


def next_sentence(row: QueryRow, heads: int) -> str:
    """Describe what the model computes from the context."""
    of = f"the contexts of the {heads} heads are joined" if heads > 1 else "it is"
    return (
        f"The context is what this head gives {quoted(row.reader)}: {of}, multiplied by W^O, and "
        "added to the row of that word."
    ).replace("it is, multiplied", "it is multiplied")


def equals(x: float, printed: str) -> str:
    """Return ``=`` if a number is exactly equal to its printed form, else ``≈``."""
    return "=" if math.isclose(x, float(printed), abs_tol=1e-9) else "≈"
