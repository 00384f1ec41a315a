"""Pulling: the smallest change of chosen numbers that gives probabilities the wished-for values.

Minimize ``|x − x₀|²`` subject to pₖ(x) = qₖ for every wish k. Each step solves the problem with the
pass linearized (sequential quadratic programming; Nocedal and Wright, Numerical Optimization, 2nd
edition, Chapter 18):

    x ← x₀ + Jᵀ(J Jᵀ)⁻¹(t − c(x) + J(x − x₀)),

where c are the log odds of the probabilities, t their targets and J their gradients. Log odds are
used because the slope of a probability vanishes near 0 and 1. The change of log odds in a step is
bounded, and halved until the step helps.

To change few numbers instead of all of them a little, ``|x − x₀|`` is weighted by its size in the
step before (iteratively reweighted least squares; Chartrand and Yin, 2008).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from transformer_math.graph.backward import gradients
from transformer_math.graph.trace import Trace
from transformer_math.ops.tensor import Index

# Runs a pass in which these arrays, by path, replace parameters or computed tensors.
Forward: TypeAlias = Callable[[Mapping[str, np.ndarray]], Trace]
# Path -> Boolean array of the numbers that may change; None for all of them.
Free: TypeAlias = Mapping[str, np.ndarray | None]

CLOSE = 0.005  # a wish is granted if its number is within this distance
MAX_STEP = 2.0  # largest change of log odds that a step asks for
MAX_LENGTH = 0.05  # largest length of a step, as a fraction of the length of all free numbers
MIN_GAIN = 0.3  # a step has to achieve this fraction of the change that it asks for
BACK = (1.0, 0.3, 0.0)  # fractions of the change so far that was useless, to undo, in this order
SHORTER = (1.0, 0.5, 0.25, 0.1)  # the same once every wish is granted
HALVINGS = 5
MIN_FIRST = 0.5  # the first try of a step asks for at least this fraction of the gap
MAX_TANGENTS = 4  # largest number of linearizations that a step combines
LIMIT = 300  # steps
POLISH = 8  # steps that make the change smaller once every wish is granted
PATIENCE = 6  # steps in a row without progress before the search ends
MIN_PROGRESS = 1e-2  # smallest decrease of the gap that counts, as a fraction
MIN_SHORTENING = 1e-3  # smallest decrease of the length of the change that counts, as a fraction
_LOW, _HIGH = 1e-30, 1 - 1e-7  # probabilities are clipped to these before taking log odds
_RIDGE = 1e-9
_MOVED = 1e-6  # a smaller change of a number does not count as one


class Wish(NamedTuple):
    """The wished-for value of a probability or an attention weight.

    Attributes:
        path: the path of the tensor; ``…head.1.weights`` addresses one head.
        cell: the index of the cell, without leading axes.
        value: the wished-for value, between 0 and 1.
    """

    path: str
    cell: Index
    value: float


class Pulled(NamedTuple):
    """The state of a pull after a step.

    Attributes:
        step: the number of steps taken.
        arrays: path -> present value of each free tensor.
        reached: the present value for each wish.
        distance: √Σ(x − x₀)² over all free numbers.
        moved: the number of free numbers that have changed.
        largest: the largest change of a number.
        granted: whether every wish is granted.
        ended: whether this is the last step; if it is not granted, no way to grant it was found.
    """

    step: int
    arrays: Mapping[str, np.ndarray]
    reached: tuple[float, ...]
    distance: float
    moved: int
    largest: float
    granted: bool
    ended: bool


def pull(
    forward: Forward, wishes: Sequence[Wish], free: Free, *, few: bool = False, limit: int = LIMIT
) -> Iterator[Pulled]:
    """Change free numbers step by step until every wish is granted, or no step helps any more.

    Args:
        forward: runs a pass of one example, without dropout or with the same masks each time.
        wishes: the wishes, at least one.
        free: the numbers that may change. A computed tensor is changed as by an override.
        few: whether to change few numbers instead of all of them a little.
        limit: the maximal number of steps.

    Yields:
        The state before the first step, and after every step.

    Raises:
        KeyError: a path is not in the pass.
        ValueError: there is no wish or no free number, a wish is not between 0 and 1, or a mask
            does not fit.
    """
    return _Pull(forward, wishes, free, few).run(limit)


class _Point(NamedTuple):
    """The free numbers (free,), their pass, and the probabilities and log odds (wishes,)."""

    x: np.ndarray
    trace: Trace
    reached: np.ndarray
    odds: np.ndarray


class _Pull:
    """The optimization; see the module's docstring."""

    def __init__(self, forward: Forward, wishes: Sequence[Wish], free: Free, few: bool) -> None:
        if not wishes or not free:
            raise ValueError("Say which numbers are wished for, and which may move.")
        if not all(0 < wish.value < 1 for wish in wishes):
            raise ValueError("A wish is a share between 0 and 1, both excluded.")
        self._forward = forward
        self._wishes = list(wishes)
        self._few = few
        trace = forward({})
        self._cells = [trace.locate(wish.path, wish.cell) for wish in wishes]
        self._arrays = {path: trace[path].value for path in free}
        self._masks = {path: _mask(path, trace[path].value, mask) for path, mask in free.items()}
        self._goal = _odds(np.array([wish.value for wish in wishes]))
        self._wanted = np.array([wish.value for wish in wishes])
        x0 = [self._arrays[path][mask] for path, mask in self._masks.items()]
        self._start = np.concatenate(x0).astype(np.float64)
        self._step = MAX_STEP
        self._radius = MAX_LENGTH * (1 + float(np.linalg.norm(self._start)))

    def run(self, limit: int) -> Iterator[Pulled]:
        point, best, idle = self._at(self._start), np.inf, 0
        polished = 0  # steps since every wish was granted
        for step in range(limit + 1):
            granted = self._is_granted(point)
            if granted and not polished:
                best = np.inf
            polished += granted
            left = self._length(point) if granted else self._gap(point)
            progress = MIN_SHORTENING if granted else MIN_PROGRESS
            idle = 0 if left < best * (1 - progress) else idle + 1
            best = min(best, left)
            patience = POLISH // 4 if granted else PATIENCE
            goes_on = polished <= POLISH and idle <= patience and step < limit
            following = self._next(point) if goes_on else None
            yield self._state(step, point, granted, following is None)
            if following is None:
                return
            point = following

    def _at(self, x: np.ndarray) -> _Point:
        trace = self._forward(self._put(x))
        found = [trace.locate(wish.path, wish.cell) for wish in self._wishes]
        reached = np.array([float(tensor.value[index]) for tensor, index in found])
        return _Point(x, trace, reached, _odds(reached))

    def _put(self, x: np.ndarray) -> dict[str, np.ndarray]:
        """Path -> free tensor with these numbers."""
        arrays, at = {}, 0
        for path, mask in self._masks.items():
            count = int(mask.sum())
            array = self._arrays[path].copy()
            array[mask] = x[at : at + count]
            arrays[path] = array
            at += count
        return arrays

    def _jacobian(self, point: _Point) -> np.ndarray:
        """The gradients of the log odds: (wishes, free)."""
        rows = []
        for (tensor, index), share in zip(self._cells, point.reached, strict=True):
            seed = np.zeros_like(tensor.value)
            near = min(max(share, _LOW), _HIGH)
            seed[index] = 1 / (near * (1 - near))
            found = gradients(point.trace, tuple(self._masks), tensor.path, seed)
            parts = [found[path][mask] for path, mask in self._masks.items()]
            rows.append(np.concatenate(parts))
        return np.array(rows, np.float64)

    def _next(self, point: _Point) -> _Point | None:
        """The next point; None if no step helps."""
        tangents = [self._jacobian(point)]
        nearest = point
        for _ in range(1 if self._is_granted(point) else MAX_TANGENTS):
            found, failed = self._try_steps(point, tangents)
            if found is not None:
                return found
            nearest = min(nearest, *failed, key=self._gap)
            # The gradients may differ across the kink of a ReLU, so the next step has to help by
            # the linearizations on both sides.
            tangents.append(self._jacobian(failed[-1]))
        # If no step helps enough, take the one that comes nearest.
        return None if nearest is point or self._is_granted(point) else nearest

    def _try_steps(
        self, point: _Point, tangents: Sequence[np.ndarray]
    ) -> tuple[_Point | None, list[_Point]]:
        """Try steps of decreasing size until one helps.

        Args:
            point: where to start.
            tangents: the gradients (wishes, free) at this point, and then at points that failed.

        Returns:
            The first point that helps, or None, and the last point tried at each smaller size.
        """
        J, moved = tangents[0], point.x - self._start
        # To change few numbers, those that have already changed cost the least.
        weight = np.abs(moved) + max(1e-3, np.abs(moved).max() * 1e-2) if self._few else 1.0
        back = _least(J, weight, J @ moved) - moved  # undoes the part that has no effect
        missing = self._goal - point.odds
        failed: list[_Point] = []
        largest = max(self._step, MIN_FIRST * self._gap(point)) if len(tangents) == 1 else MAX_STEP
        for halved in range(HALVINGS):
            step = largest / 2**halved
            asked = np.tile(np.clip(missing, -step, step), len(tangents))
            toward = _least(np.concatenate(tangents), weight, asked)
            toward *= min(1.0, self._radius / max(float(np.linalg.norm(toward)), 1e-30))
            for part in SHORTER if self._is_granted(point) else BACK:
                candidate = self._at(point.x + toward + part * back)
                if self._helps(point, candidate, step):
                    self._step = min(MAX_STEP, step * (1 if halved else 1.5))
                    return candidate, failed
            failed.append(candidate)
        return None, failed

    def _helps(self, before: _Point, after: _Point, step: float) -> bool:
        """Whether a step achieves enough; once all is granted, whether it shortens the change."""
        if not np.isfinite(after.reached).all():
            return False
        if self._is_granted(before):
            return self._is_granted(after) and self._length(after) < self._length(before)
        gap = self._gap(before)
        return self._is_granted(after) or self._gap(after) < gap - MIN_GAIN * min(gap, step)

    def _gap(self, point: _Point) -> float:
        """The largest difference of log odds from their targets."""
        return float(np.abs(self._goal - point.odds).max())

    def _length(self, point: _Point) -> float:
        """The size of the change so far, which is minimized."""
        moved = np.abs(point.x - self._start)
        return float(moved.sum() if self._few else np.linalg.norm(moved))

    def _is_granted(self, point: _Point) -> bool:
        return bool((np.abs(point.reached - self._wanted) <= CLOSE).all())

    def _state(self, step: int, point: _Point, granted: bool, ended: bool) -> Pulled:
        moved = np.abs(point.x - self._start)
        return Pulled(
            step,
            self._put(point.x),
            tuple(point.reached.tolist()),
            float(np.linalg.norm(moved)),
            int((moved > _MOVED).sum()),
            float(moved.max()),
            granted,
            ended,
        )


def _least(J: np.ndarray, weight: np.ndarray | float, odds: np.ndarray) -> np.ndarray:
    """The smallest weighted step that changes the log odds by ``odds``, linearized by J."""
    gram = (J * weight) @ J.T
    gram += np.eye(len(gram)) * (_RIDGE * np.trace(gram) + 1e-30)
    return np.asarray((J * weight).T @ np.linalg.solve(gram, odds))


def _mask(path: str, value: np.ndarray, mask: np.ndarray | None) -> np.ndarray:
    """The checked mask of a tensor's free numbers."""
    if value.dtype.kind != "f":
        raise ValueError(f"{path} holds whole numbers, which cannot move a little.")
    found = np.ones(value.shape, bool) if mask is None else np.asarray(mask, bool)
    if found.shape != value.shape:
        raise ValueError(f"The mask of {path} has the shape {found.shape}, not {value.shape}.")
    if not found.any():
        raise ValueError(f"The mask of {path} leaves nothing free.")
    return found


def _odds(share: np.ndarray) -> np.ndarray:
    """Log odds of probabilities."""
    near = np.clip(share, _LOW, _HIGH)
    return np.asarray(np.log(near / (1 - near)))
