"""Pulling an answer: the smallest change of chosen numbers that makes a probability what is asked.

Minimize ``|x − x₀|²`` subject to pₖ(x) = qₖ for every wish k. Each step solves the problem with the
pass replaced by its tangent (sequential quadratic programming; Nocedal and Wright, Numerical
Optimization, 2nd edition, Chapter 18):

    x ← x₀ + Jᵀ(J Jᵀ)⁻¹(t − c(x) + J(x − x₀)),

c the log odds of the wished-for numbers, t what they should be, J their gradients. In log odds,
since a softmax answers to them evenly: at a probability near 0 or 1 its own slope is none. A step
asks for no more than a bounded change of them, and is halved until it helps.

For few changed numbers instead of small ones the length is weighted, ``|x − x₀|`` by its own size
of the step before (iteratively reweighted least squares; Chartrand and Yin, 2008).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from transformer_math.graph.backward import gradients
from transformer_math.graph.trace import Trace
from transformer_math.ops.tensor import Index

# A pass with these arrays in the place of what is stored or computed at their paths.
Forward: TypeAlias = Callable[[Mapping[str, np.ndarray]], Trace]
# Path -> which of its numbers may move (an array of the tensor's shape); None: all of them.
Free: TypeAlias = Mapping[str, np.ndarray | None]

CLOSE = 0.005  # a wish is granted when its number is as near as that
STEP = 2.0  # in log odds, that a step asks for at most
REACH = 0.05  # of the length of all free numbers, that a step goes at most
GAIN = 0.3  # of what a step asks for, that it has to bring
BACK = (1.0, 0.3, 0.0)  # of the step back: what is tried, in order
SHORTER = (1.0, 0.5, 0.25, 0.1)  # the same where every wish is granted
HALVINGS = 5
WORTH = 0.5  # of what is missing, that the first step tried asks for at least
SIDES = 4  # tangents that a step is made by at most
LIMIT = 300  # steps
POLISH = 8  # steps that make the change smaller once every wish is granted
PATIENCE = 6  # steps that bring next to nothing
LEAST = 1e-2  # of what is left, that a step brings if it brings anything
FINE = 1e-3  # the same of the length of a change that is only made smaller
_LOW, _HIGH = 1e-30, 1 - 1e-7  # log odds are taken of numbers in between
_RIDGE = 1e-9
_MOVED = 1e-6  # a number that changed by less has not moved


class Wish(NamedTuple):
    """A share, a probability or an attention weight, that is to be another.

    Attributes:
        path: of the tensor; ``…head.1.weights`` addresses one head.
        cell: its index, without leading axes.
        value: what it is to be, between 0 and 1.
    """

    path: str
    cell: Index
    value: float


class Pulled(NamedTuple):
    """Where a pull has come to.

    Attributes:
        step: how many steps were taken.
        arrays: path -> what the free tensors are now.
        reached: what each wished-for number is now.
        distance: of all numbers from where they were, √Σ(x − x₀)².
        moved: how many numbers are others than they were.
        largest: the largest change of one number.
        granted: whether every wish is.
        ended: whether there is no further step; if nothing is granted by then, it cannot be.
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
    """Move what is free until every wish is granted, or it shows that it cannot be.

    Args:
        forward: makes a pass of one example, in evaluation or with the same masks each time.
        wishes: what is asked for, at least one.
        free: what may move. A computed tensor moves as an override does.
        few: whether few numbers are to move, instead of all of them a little.
        limit: the most steps.

    Yields:
        Where it has come to, after every step; first where it begins.

    Raises:
        KeyError: a path is not in the pass.
        ValueError: nothing is wished for or free, a wish is no share, or a mask does not fit.
    """
    return _Pull(forward, wishes, free, few).run(limit)


class _Point(NamedTuple):
    """The free numbers in a row, and what follows from them."""

    x: np.ndarray
    trace: Trace
    reached: np.ndarray
    odds: np.ndarray


class _Pull:
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
        self._step = STEP
        self._radius = REACH * (1 + float(np.linalg.norm(self._start)))

    def run(self, limit: int) -> Iterator[Pulled]:
        point, best, idle = self._at(self._start), np.inf, 0
        polished = 0  # steps since every wish was granted
        for step in range(limit + 1):
            granted = self._is_granted(point)
            if granted and not polished:
                best = np.inf
            polished += granted
            left = self._length(point) if granted else self._gap(point)
            idle = 0 if left < best * (1 - (FINE if granted else LEAST)) else idle + 1
            best = min(best, left)
            patience = POLISH // 4 if granted else PATIENCE
            goes_on = polished <= POLISH and idle <= patience and step < limit
            following = self._next(point) if goes_on else None
            yield self._told(step, point, granted, following is None)
            if following is None:
                return
            point = following

    def _at(self, x: np.ndarray) -> _Point:
        trace = self._forward(self._put(x))
        found = [trace.locate(wish.path, wish.cell) for wish in self._wishes]
        reached = np.array([float(tensor.value[index]) for tensor, index in found])
        return _Point(x, trace, reached, _odds(reached))

    def _put(self, x: np.ndarray) -> dict[str, np.ndarray]:
        """The free tensors with these numbers in them."""
        arrays, at = {}, 0
        for path, mask in self._masks.items():
            count = int(mask.sum())
            array = self._arrays[path].copy()
            array[mask] = x[at : at + count]
            arrays[path] = array
            at += count
        return arrays

    def _jacobian(self, point: _Point) -> np.ndarray:
        """(wishes, free): the gradients of the log odds."""
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
        """The next point; None where no step helps."""
        tangents = [self._jacobian(point)]
        nearest = point
        for _ in range(1 if self._is_granted(point) else SIDES):
            found, failed = self._stepped(point, tangents)
            if found is not None:
                return found
            nearest = min(nearest, *failed, key=self._gap)
            # A ReLU in the way: what helps on one side of its kink does not on the other. The
            # next try is one that helps by the tangents of both.
            tangents.append(self._jacobian(failed[-1]))
        # What cannot be had altogether is approached as far as it goes.
        return None if nearest is point or self._is_granted(point) else nearest

    def _stepped(
        self, point: _Point, tangents: Sequence[np.ndarray]
    ) -> tuple[_Point | None, list[_Point]]:
        """A point that helps, if a step of some size does; and those that do not, ever nearer.

        Args:
            point: from where.
            tangents: each (wishes, free); the first is of the point itself.
        """
        J, moved = tangents[0], point.x - self._start
        # Of few numbers those that have moved already are the cheapest to move on.
        weight = np.abs(moved) + max(1e-3, np.abs(moved).max() * 1e-2) if self._few else 1.0
        back = _least(J, weight, J @ moved) - moved  # of what was moved what did not help
        missing = self._goal - point.odds
        failed: list[_Point] = []
        largest = max(self._step, WORTH * self._gap(point)) if len(tangents) == 1 else STEP
        for halved in range(HALVINGS):
            step = largest / 2**halved
            asked = np.tile(np.clip(missing, -step, step), len(tangents))
            toward = _least(np.concatenate(tangents), weight, asked)
            toward *= min(1.0, self._radius / max(float(np.linalg.norm(toward)), 1e-30))
            for part in SHORTER if self._is_granted(point) else BACK:
                candidate = self._at(point.x + toward + part * back)
                if self._helps(point, candidate, step):
                    self._step = min(STEP, step * (1 if halved else 1.5))
                    return candidate, failed
            failed.append(candidate)
        return None, failed

    def _helps(self, before: _Point, after: _Point, step: float) -> bool:
        """Whether a step that asks for so much brings half of it, or makes the change smaller."""
        if not np.isfinite(after.reached).all():
            return False
        if self._is_granted(before):
            return self._is_granted(after) and self._length(after) < self._length(before)
        gap = self._gap(before)
        return self._is_granted(after) or self._gap(after) < gap - GAIN * min(gap, step)

    def _gap(self, point: _Point) -> float:
        return float(np.abs(self._goal - point.odds).max())

    def _length(self, point: _Point) -> float:
        moved = np.abs(point.x - self._start)
        return float(moved.sum() if self._few else np.linalg.norm(moved))

    def _is_granted(self, point: _Point) -> bool:
        return bool((np.abs(point.reached - self._wanted) <= CLOSE).all())

    def _told(self, step: int, point: _Point, granted: bool, ended: bool) -> Pulled:
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
    """The smallest step that changes the log odds so, as far as the tangents (rows of J) go."""
    gram = (J * weight) @ J.T
    gram += np.eye(len(gram)) * (_RIDGE * np.trace(gram) + 1e-30)
    return np.asarray((J * weight).T @ np.linalg.solve(gram, odds))


def _mask(path: str, value: np.ndarray, mask: np.ndarray | None) -> np.ndarray:
    if value.dtype.kind != "f":
        raise ValueError(f"{path} holds whole numbers, which cannot move a little.")
    found = np.ones(value.shape, bool) if mask is None else np.asarray(mask, bool)
    if found.shape != value.shape:
        raise ValueError(f"The mask of {path} has the shape {found.shape}, not {value.shape}.")
    if not found.any():
        raise ValueError(f"The mask of {path} leaves nothing free.")
    return found


def _odds(share: np.ndarray) -> np.ndarray:
    near = np.clip(share, _LOW, _HIGH)
    return np.asarray(np.log(near / (1 - near)))
