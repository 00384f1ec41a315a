"""The loss over a plane of changes: passes with multiples of two directions added to tensors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from transformer_math.graph.backward import LOSS
from transformer_math.graph.sweep import example_count
from transformer_math.graph.trace import Trace
from transformer_math.ops.tensor import Tensor

# Stored path -> the array that one whole step along the direction adds to that tensor.
Direction = Mapping[str, np.ndarray]
PIECE_BYTES = 2 << 20  # bytes computed at a time, so that they fit the processor's caches


def losses(
    trace: Trace,
    across: Direction,
    up: Direction,
    steps: np.ndarray,
    go_on: Callable[[], None] = lambda: None,
) -> np.ndarray:
    """Return the loss after steps along two directions from the parameters of a pass.

    Args:
        trace: a pass with labels, not a sweep; the loss of a batch is its mean.
        across: the first direction.
        up: the second direction.
        steps: (n, 2), the lengths along both directions.
        go_on: called between pieces of the work; it raises an exception to cancel the work.

    Returns:
        (n,)
    """
    way = _Way(trace, across, up)
    found = []
    for start in range(0, len(steps), way.frames):
        go_on()
        found.append(way.losses(steps[start : start + way.frames]))
    return np.concatenate(found)


def main_directions(points: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Return the two main directions in which points (k, n) differ from an end point (n,).

    Returns:
        The directions (2, n), orthonormal; the coordinates (k, 2) of the points from the end; and
        the share of their squared distances from the end that lies in this plane.
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
    # The signs are chosen so that the first point has negative coordinates.
    signs = np.where(coordinates[0] > 0, -1.0, 1.0)
    share = float((coordinates**2).sum()) / total if total else 1.0
    return directions * signs[:, None], coordinates * signs, share


class _Step(NamedTuple):
    """A tensor that a step changes, directly or through its inputs.

    Attributes:
        number: the index of the tensor in the pass.
        tensor: the tensor of the pass.
        rank: the number of its axes, leading axes excluded.
        inputs: the indices of its inputs; None if no input changes.
        added: its columns in the added vectors; None if the step does not change it directly.
    """

    number: int
    tensor: Tensor
    rank: int
    inputs: list[int] | None
    added: slice | None


class _Way:
    """The changed tensors up to the loss, listed once, and computed for each piece of the steps.

    A sweep would make a whole trace, which for a small model takes longer than the computation.

    Attributes:
        frames: the number of steps that are computed at a time.
    """

    def __init__(self, trace: Trace, across: Direction, up: Direction) -> None:
        self._leading = (1,) * len(trace.leading)
        self._examples = example_count(trace)
        self._values = [tensor.value for tensor in trace.tensors.values()]
        self._loss = list(trace.tensors).index(LOSS)
        parts: list[np.ndarray] = []  # for each moved tensor, both directions: (2, cells)
        self._steps = _steps(trace, across, up, parts)
        # The product of the steps and these directions is added to all moved tensors.
        self._directions = np.concatenate(parts or [np.zeros((2, 0))], axis=1)
        room = sum(step.tensor.value.nbytes for step in self._steps)
        self.frames = max(1, PIECE_BYTES // max(1, room))

    def losses(self, steps: np.ndarray) -> np.ndarray:
        """Return the loss after each of some steps (T, 2)."""
        values = self._values.copy()
        all_added = steps.astype(self._directions.dtype) @ self._directions
        for number, tensor, rank, inputs, added in self._steps:
            value = tensor.value
            if inputs is not None:
                value = tensor.op.forward(*[values[k] for k in inputs])
                if tensor.override is not None:  # overrides apply at every step
                    value = tensor.override.apply(value, rank, self._examples, frames=True)
            if added is not None:
                own = tensor.value.shape[tensor.value.ndim - rank :]
                value = value + all_added[:, added].reshape(len(steps), *self._leading, *own)
            values[number] = value
        found: np.ndarray = np.broadcast_to(values[self._loss], (len(steps),)).astype(float)
        return found


def _steps(trace: Trace, across: Direction, up: Direction, parts: list[np.ndarray]) -> list[_Step]:
    """Return the changed tensors that affect the loss; append their directions to ``parts``."""
    numbers = {id(tensor): k for k, tensor in enumerate(trace.tensors.values())}
    needed = {LOSS, *trace.upstream(LOSS)}
    steps: list[_Step] = []
    differ: set[int] = set()
    cells = 0
    for path, tensor in trace.tensors.items():
        if path not in needed:
            continue
        added = None
        rank = trace.rank(tensor)
        inputs = [numbers[id(source)] for source in tensor.inputs]
        follows = not differ.isdisjoint(inputs)
        if path in across or path in up:
            own = tensor.value.shape[tensor.value.ndim - rank :]
            both = [np.broadcast_to(each.get(path, 0.0), own) for each in (across, up)]
            parts.append(np.stack(both).reshape(2, -1).astype(tensor.value.dtype))
            added = slice(cells, cells + parts[-1].shape[1])
            cells = added.stop
        if follows or added is not None:
            number = numbers[id(tensor)]
            differ.add(number)
            steps.append(_Step(number, tensor, rank, inputs if follows else None, added))
    return steps
