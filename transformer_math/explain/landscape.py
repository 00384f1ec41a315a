"""The loss over a plane of changes: a pass in which two directions are added in many shares."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from transformer_math.graph.backward import LOSS
from transformer_math.graph.sweep import sweep_by
from transformer_math.graph.trace import Trace

# Stored path -> what one whole step along the direction adds to that tensor of one example.
Direction = Mapping[str, np.ndarray]
PIECE_BYTES = 2 << 20  # computed at a time; larger pieces leave the processor's caches


def losses(
    trace: Trace,
    across: Direction,
    up: Direction,
    steps: np.ndarray,
    go_on: Callable[[], None] = lambda: None,
) -> np.ndarray:
    """The loss after steps along two directions from where a pass stands.

    Args:
        trace: a pass with labels, which is no sweep; of a batch the loss is its mean.
        across: the first direction.
        up: the second direction.
        steps: (n, 2), how far along each.
        go_on: called between pieces of the work; an exception it raises ends it.

    Returns:
        (n,)
    """
    pieces = _pieces(trace, across, up, steps, go_on)
    return np.concatenate([_losses(trace, across, up, piece) for piece in pieces])


def main_directions(points: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """The two directions in which points (k, n) lie farthest from an end (n,).

    Returns:
        The directions (2, n), orthonormal; the coordinates (k, 2) of the points from the end; and
        the share of their squared distances from it that lies in this plane.
    """
    away = points - end
    # There are few points of many numbers, so their products are a small matrix.
    sizes, mixes = np.linalg.eigh(away @ away.T)
    sizes, mixes = sizes[::-1][:2], mixes[:, ::-1][:, :2]
    directions = np.zeros((2, points.shape[1]))
    for k, size in enumerate(sizes):
        if size > 0:
            directions[k] = mixes[:, k] @ away / np.sqrt(size)
    total = float((away**2).sum())
    coordinates = away @ directions.T
    # The first point lies to the left and below, wherever it is.
    signs = np.where(coordinates[0] > 0, -1.0, 1.0)
    share = float((coordinates**2).sum()) / total if total else 1.0
    return directions * signs[:, None], coordinates * signs, share


def _losses(trace: Trace, across: Direction, up: Direction, steps: np.ndarray) -> np.ndarray:
    setters = {path: _adder(steps, across.get(path), up.get(path)) for path in {*across, *up}}
    value = sweep_by(trace, len(steps), setters)[LOSS].value
    found: np.ndarray = np.broadcast_to(value, (len(steps),)).astype(float)
    return found


def _adder(
    steps: np.ndarray, across: np.ndarray | None, up: np.ndarray | None
) -> Callable[[np.ndarray], None]:
    """A function that adds to frames (T, …) their shares of both directions."""

    def add(frames: np.ndarray) -> None:
        for k, direction in enumerate((across, up)):
            if direction is not None:
                shares = steps[:, k].reshape(-1, *(1,) * (frames.ndim - 1))
                frames += (shares * direction).astype(frames.dtype)

    return add


def _pieces(
    trace: Trace,
    across: Direction,
    up: Direction,
    steps: np.ndarray,
    go_on: Callable[[], None],
) -> Iterator[np.ndarray]:
    """The steps in pieces that take a bounded room; ``go_on`` is called before each."""
    moved = {*across, *up}
    reached = moved.union(*(trace.downstream(path) for path in moved))
    room = sum(trace[path].value.nbytes for path in reached)
    count = max(1, PIECE_BYTES // max(1, room))
    for start in range(0, len(steps), count):
        go_on()
        yield steps[start : start + count]
