"""Pulls with a limited count of changed numbers, which are chosen by elimination.

First ``pull`` changes few of all free numbers. Next it changes only the half that moved farthest,
and repeats this until no more than the wanted count is left. If these numbers cannot grant the
wish, the same count of numbers with the steepest gradients is tried.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence

import numpy as np

from transformer_math.arguments import checked
from transformer_math.checks import check_whole, naming
from transformer_math.experiments.pull import LIMIT, Pulled, pull
from transformer_math.experiments.pull_problem import Forward, Free, Wish
from transformer_math.graph.backward import gradients

KEPT = 2  # each pull keeps the moved numbers of the previous pull, their count divided by this


@checked()
def pull_by(
    forward: Forward, wishes: Sequence[Wish], free: Free, most: int, *, limit: int = LIMIT
) -> Iterator[Pulled]:
    """Pull by changing at most ``most`` of the free numbers; all others keep their values.

    Args:
        forward: as for ``pull``.
        wishes: as for ``pull``.
        free: the numbers to choose from.
        most: the maximum count of changed numbers, at least 1.
        limit: the maximum number of steps of each pull.

    Yields:
        The states of all pulls, one after the other; only the very last state has ``ended``.

    Raises:
        KeyError, ValueError: as for ``pull``, or ``most`` is less than 1.
    """
    check_whole("most", most, 1)
    check_whole("limit", limit, 0)
    trace = forward({})
    with naming("free"):
        start = {path: trace[path].value for path in free}
    steep = None if not wishes else _steepest(forward, wishes[0], free, most)
    left = free
    while True:
        end = yield from _all_but_the_last(forward, wishes, left, limit)
        count = sum(int(mask.sum()) for mask in _moved(start, end.arrays).values())
        if count <= most:
            break
        left = _largest(start, end.arrays, max(most, count // KEPT))
    if not end.granted and steep:
        other = yield from _all_but_the_last(forward, wishes, steep, limit)
        end = other if other.granted else end
    yield end._replace(ended=True)


def _all_but_the_last(
    forward: Forward, wishes: Sequence[Wish], free: Free, limit: int
) -> Generator[Pulled, None, Pulled]:
    """Yield all states of a pull but the last, and return the last state."""
    end = None
    for state in pull(forward, wishes, free, few=True, direct=True, limit=limit):
        if end is not None:
            yield end
        end = state
    assert end is not None  # a pull has a first state
    return end


def _moved(
    start: Mapping[str, np.ndarray], arrays: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    return {path: array != start[path] for path, array in arrays.items()}


def _largest(
    start: Mapping[str, np.ndarray], arrays: Mapping[str, np.ndarray], count: int
) -> dict[str, np.ndarray]:
    """Return the masks of the ``count`` numbers that moved farthest."""
    return _top({path: np.abs(array - start[path]) for path, array in arrays.items()}, count)


def _steepest(forward: Forward, wish: Wish, free: Free, count: int) -> dict[str, np.ndarray]:
    """Return the masks of the ``count`` free numbers with the largest gradients of a wish."""
    trace = forward({})
    tensor, cell = trace.locate(wish.path, wish.cell)
    seed = np.zeros_like(tensor.value)
    seed[cell] = 1
    found = gradients(trace, tuple(free), tensor.path, seed)
    sizes = {}
    for path, mask in free.items():
        size = np.abs(found[path])
        sizes[path] = size if mask is None else np.where(mask, size, 0)
    return _top(sizes, count)


def _top(sizes: Mapping[str, np.ndarray], count: int) -> dict[str, np.ndarray]:
    """Return the masks of the ``count`` largest numbers of several arrays, without zeros."""
    flat = np.concatenate([size.ravel() for size in sizes.values()])
    chosen = np.zeros(len(flat), bool)
    chosen[np.argsort(-flat, kind="stable")[:count]] = True
    chosen &= flat > 0
    masks, at = {}, 0
    for path, size in sizes.items():
        mask = chosen[at : at + size.size].reshape(size.shape)
        at += size.size
        if mask.any():
            masks[path] = mask
    return masks
