"""Chooses the attention head that is drawn large, and the query and key drawn in detail."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from transformer_math import Trace

SUBLAYERS = ("self_attn", "cross_attn")
_WEIGHTS = tuple(f".{name}.weights" for name in SUBLAYERS)


class AttentionFocus(NamedTuple):
    """A head of an attention sublayer, and a pair of a query and a key."""

    scope: str  # the sublayer, such as ``encoder.0.self_attn``
    head: int = 0
    query: int = 0  # the position that attends
    key: int = 0  # the position it attends to


def scopes(trace: Trace) -> list[str]:
    """Return the path of every attention sublayer of the pass, in order of computation."""
    return [path.removesuffix(".weights") for path in trace.tensors if path.endswith(_WEIGHTS)]


def last_attention(
    trace: Trace, stack: str = "", is_wanted: Callable[[str], bool] = lambda _scope: True
) -> str | None:
    """Return the last wanted cross-attention of one stack or all, or else self-attention."""
    known = [scope for scope in scopes(trace) if scope.startswith(stack) and is_wanted(scope)]
    crossing = [scope for scope in known if scope.endswith("cross_attn")]
    return (crossing or known)[-1] if known else None


def strongest(
    trace: Trace, scope: str, head: int = 0, query: int | None = None, key: int | None = None
) -> AttentionFocus:
    """Return the pair with the largest weight in a head, optionally for a given query or key.

    In self-attention, pairs of a token with itself are excluded.
    """
    weights = np.array(trace[f"{scope}.weights"].value[head])
    if scope.endswith("self_attn") and len(weights) > 1:
        np.fill_diagonal(weights, -1)
    if query is not None:
        weights[np.arange(len(weights)) != query] = -2
    if key is not None:
        weights[:, np.arange(weights.shape[1]) != key] = -2
    i, j = np.unravel_index(int(np.argmax(weights)), weights.shape)
    return AttentionFocus(scope, head, int(i), int(j))


def of_row(trace: Trace, stack: str, position: int) -> AttentionFocus | None:
    """Return the head and key with the largest weight of a row in its stack's last attention.

    None if the stack has no attention or no such row.
    """
    scope = last_attention(trace, stack)
    if scope is None:
        return None
    weights = np.array(trace[f"{scope}.weights"].value)
    if not 0 <= position < weights.shape[1]:
        return None
    row = weights[:, position]
    if scope.endswith("self_attn") and row.shape[1] > 1:
        row[:, position] = -1  # attention to itself is uninformative
    head, key = np.unravel_index(int(np.argmax(row)), row.shape)
    return AttentionFocus(scope, int(head), position, int(key))


def resolve_focus(
    trace: Trace, requested: AttentionFocus | None, followed: tuple[str, int] | None = None
) -> AttentionFocus:
    """Return the requested focus; if the pass lacks its head or pair, the pair of largest weight.

    Without a request, return the strongest pair of the followed token (stack, position), if any.
    """
    known = scopes(trace)
    if requested is None and followed is not None:
        requested = of_row(trace, *followed)
    if requested is None or requested.scope not in known:
        return strongest(trace, known[0])
    heads, queries, keys = trace[f"{requested.scope}.weights"].shape
    if not 0 <= requested.head < heads:
        return strongest(trace, requested.scope)
    if not (0 <= requested.query < queries and 0 <= requested.key < keys):
        return strongest(trace, requested.scope, requested.head)
    return requested


def adds_up(weights: np.ndarray) -> bool:
    """Return whether every row of attention weights sums to 1; edited rows may not."""
    return bool(np.allclose(weights.sum(axis=-1), 1, atol=1e-3))


def torn(trace: Trace, paths: Iterable[str]) -> frozenset[tuple[str, int]]:
    """Return path and head of the attention weights that have a row whose sum is not 1."""
    weights = [(path, trace[path].value) for path in set(paths) if path in trace]
    return frozenset(
        (path, head)
        for path, heads in weights
        for head, values in enumerate(heads)
        if not adds_up(values)
    )


def hides_a_key(mask: np.ndarray) -> bool:
    """Return whether a mask (keys, or queries × keys) hides a key (padding) from all queries."""
    return bool(np.isneginf(np.atleast_2d(mask)).all(axis=0).any())


def hides_what_follows(mask: np.ndarray) -> bool:
    """Return whether a mask (keys, or queries × keys) hides all later keys from every query."""
    mask = np.atleast_2d(mask)
    rows, columns = mask.shape
    later = np.triu(np.ones((rows, columns), bool), 1)
    return bool(rows > 1 and later.any() and np.isneginf(mask[later]).all())
