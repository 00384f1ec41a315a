"""The problem of a pull: the free numbers, the wishes, and passes with other numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Real
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from transformer_math.checks import naming
from transformer_math.graph.backward import gradients
from transformer_math.graph.one_text import check_one_text
from transformer_math.graph.trace import Trace
from transformer_math.model import Transformer
from transformer_math.ops.softmax import Softmax
from transformer_math.ops.tensor import Index, Tensor, split_head

# Runs a pass in which these arrays, by path, replace parameters or computed tensors.
Forward: TypeAlias = Callable[[Mapping[str, np.ndarray]], Trace]
# Path -> Boolean array of the numbers that may change; None for all of them.
Free: TypeAlias = Mapping[str, np.ndarray | None]

# A granted wish exceeds its value by at most this, in log odds: by 0.01 at one half.
WIDTH = 0.04
AIM = 0.1  # the aim of a step within that range, as a fraction of the range
_LEAST = 1e-3  # minimum of this fraction, so that the wish is granted despite other rounding
_LOW, _HIGH = 1e-30, 1 - 1e-7  # probabilities are clipped to these before taking log odds
_LEAST_SIZE = 0.02  # assumed size of free numbers that are all 0, such as biases


class Wish(NamedTuple):
    """The wished-for value of a probability or an attention weight.

    Attributes:
        path: the path of the tensor; ``…head.1.weights`` addresses one head.
        cell: the index of the cell, without leading axes.
        value: the wished-for value, between 0 and 1. A value above the present value is a lower
            bound, a value below it an upper bound.
    """

    path: str
    cell: Index
    value: float


Given: TypeAlias = Wish | tuple[str, Index, float]
Wishes: TypeAlias = Sequence[Given] | Given


class Point(NamedTuple):
    """The free numbers (free,), their pass, and the probabilities and log odds (wishes,)."""

    x: np.ndarray
    trace: Trace
    reached: np.ndarray
    odds: np.ndarray


class Problem:
    """A pull to be solved.

    Attributes:
        start: the pass with the numbers as they are.
        aim: the log odds (wishes,) at which steps aim.
        size: the root mean square of the free numbers.
    """

    def __init__(
        self,
        forward: Forward,
        wishes: Wishes,
        free: Free | Iterable[str] | str,
        few: bool,
    ) -> None:
        with naming("wishes"):
            asked = _wishes(wishes)
        if not asked:
            raise ValueError("wishes is empty: give at least one Wish(path, cell, value).")
        if isinstance(forward, Transformer):
            raise ValueError(
                "forward is a function that runs a pass, and not a model: "
                "lambda arrays: model(source, target, overrides=dict(arrays))."
            )
        self._forward = forward
        self._few = few
        trace = forward({})
        with naming("forward"):
            check_one_text(trace)
        with naming("wishes"):
            self._located = [_located(trace, wish) for wish in asked]
        with naming("free"):
            self._masks = _masks(trace, free)
        self._arrays = {path: trace[path].value for path in self._masks}
        x = [self._arrays[path][mask] for path, mask in self._masks.items()]
        self.start = self._point(np.concatenate(x).astype(np.float64), trace)
        self.size = max(_LEAST_SIZE, float(np.sqrt((self.start.x**2).mean())))
        self._goal = log_odds(np.array([wish.value for wish in asked]))
        self._side = np.sign(self._goal - self.start.odds)
        self.aim = self._goal + self._side * WIDTH * AIM
        self.contradicts = _contradicts(asked, self._located)

    def at(self, x: np.ndarray) -> Point:
        """Return the pass with other free numbers (free,)."""
        return self._point(x, self._forward(self.arrays(x)))

    def _point(self, x: np.ndarray, trace: Trace) -> Point:
        found = [trace[tensor.path].value[index] for tensor, index in self._located]
        reached = np.array(found, np.float64)
        return Point(x, trace, reached, log_odds(reached))

    def arrays(self, x: np.ndarray) -> dict[str, np.ndarray]:
        """Return path -> free tensor with these numbers."""
        arrays, at = {}, 0
        for path, mask in self._masks.items():
            count = int(mask.sum())
            array = self._arrays[path].copy()
            array[mask] = x[at : at + count]
            arrays[path] = array
            at += count
        return arrays

    def slopes(self, point: Point) -> np.ndarray:
        """Return the gradients of the log odds: (wishes, free)."""
        return np.array([self._slope(point, k, 1.0) for k in range(len(point.odds))])

    def pull(self, point: Point) -> np.ndarray:
        """Return the direction (free,) that moves the log odds toward their aims.

        Each wish has a weight, its missing log odds but at most 1; a granted wish has the weight 0.
        """
        missing = np.clip(self.missing(point), -1, 1) * ~self._granted(point)
        of: dict[str, list[int]] = {}
        for k, (tensor, _) in enumerate(self._located):
            of.setdefault(tensor.path, []).append(k)
        total = np.zeros(len(point.x))
        for ks in of.values():  # wishes for one tensor share a backward pass
            total += self._slope(point, ks, missing[ks])
        return total

    def _slope(
        self, point: Point, which: int | list[int], weight: float | np.ndarray
    ) -> np.ndarray:
        ks = np.atleast_1d(which)
        path = self._located[ks[0]][0].path
        value = point.trace[path].value
        seed = np.zeros_like(value)
        for k, share in zip(ks, np.broadcast_to(weight, ks.shape), strict=True):
            near = min(max(point.reached[k], _LOW), _HIGH)
            seed[self._located[k][1]] += share / (near * (1 - near))
        found = gradients(point.trace, tuple(self._masks), path, seed)
        parts = [found[path][mask] for path, mask in self._masks.items()]
        slope: np.ndarray = np.concatenate(parts).astype(np.float64)
        return slope

    def missing(self, point: Point) -> np.ndarray:
        """Return the aims minus the log odds: (wishes,)."""
        missing: np.ndarray = self.aim - point.odds
        return missing

    def gap(self, point: Point) -> float:
        """Return the largest difference of log odds from their aims."""
        return float(np.abs(self.missing(point)).max())

    def length(self, point: Point) -> float:
        """Return the size of the change so far, which is minimized."""
        moved = np.abs(point.x - self.start.x)
        return float(moved.sum() if self._few else np.linalg.norm(moved))

    def weight(self, moved: np.ndarray) -> np.ndarray | float:
        """Return each number's weight in a step; with ``few``, larger for moved numbers."""
        return np.abs(moved) + max(1e-3, np.abs(moved).max() * 1e-2) if self._few else 1.0

    def is_granted(self, point: Point) -> bool:
        """Return whether every wish is granted, and no wish is exceeded by much."""
        return bool(self._granted(point).all())

    def is_past(self, point: Point) -> bool:
        """Return whether every wish is granted, even if it is exceeded by much."""
        return bool(((point.odds - self._goal) * self._side >= 0).all())

    def _granted(self, point: Point) -> np.ndarray:
        past = (point.odds - self._goal) * self._side
        within: np.ndarray = np.where(
            self._side == 0,
            np.abs(point.odds - self._goal) <= WIDTH / 2,
            (past >= WIDTH * _LEAST) & (past <= WIDTH),
        )
        return within


def log_odds(share: np.ndarray) -> np.ndarray:
    """Return the log odds of probabilities."""
    near = np.clip(share, _LOW, _HIGH)
    return np.asarray(np.log(near / (1 - near)))


def _located(trace: Trace, wish: Wish) -> tuple[Tensor, Index]:
    """Return the tensor and the index of a wish.

    Raises:
        ValueError: there is no such cell, or its tensor is not a softmax.
    """
    tensor, index = trace.locate(wish.path, wish.cell)
    if not isinstance(tensor.op, Softmax):
        raise ValueError(f"{wish.path} is none of the probabilities and attention weights.")
    return tensor, index


def _wishes(given: Wishes) -> list[Wish]:
    """Return a list of wishes, from one or several wishes or tuples (path, cell, value).

    Raises:
        ValueError: an item is not a wish, or its value is not between 0 and 1.
    """
    alone = isinstance(given, tuple) and bool(given) and isinstance(given[0], str)
    several: Sequence[Any] = [given] if alone else list(given)
    found: list[Wish] = []
    for each in several:
        try:
            wish = Wish(*each)
        except TypeError:
            raise ValueError(
                f"A wish is Wish(path, cell, value), or a tuple of these, not {each!r:.80}."
            ) from None
        if not (isinstance(wish.value, Real) and 0 < wish.value < 1):
            raise ValueError(
                f"A wish is a share between 0 and 1, both excluded, not {wish.value!r:.40}."
            )
        found.append(wish)
    return found


def _masks(trace: Trace, free: Free | Iterable[str] | str) -> dict[str, np.ndarray]:
    """Return stored path -> mask of its free numbers.

    Raises:
        NoSuchPath: a path is not in the pass.
        ValueError: a tensor has no real numbers, or a mask does not fit.
    """
    if isinstance(free, str):
        free = [free]
    named = free if isinstance(free, Mapping) else dict.fromkeys(free)
    if not named:
        raise ValueError("There is no number that may move.")
    found: dict[str, np.ndarray] = {}
    for path, mask in named.items():
        value = trace[path].value
        own = _mask(path, value, mask)
        stored, head = split_head(path)
        if head is not None:
            whole = np.zeros(trace[stored].shape, bool)
            whole[head] = own
            own = whole
        found[stored] = own | found.get(stored, False)
    return found


def _mask(path: str, value: np.ndarray, mask: np.ndarray | None) -> np.ndarray:
    """Return the checked mask of a tensor's free numbers."""
    if value.dtype.kind != "f":
        raise ValueError(f"{path} holds whole numbers, which cannot move a little.")
    found = np.ones(value.shape, bool) if mask is None else np.asarray(mask, bool)
    if found.shape != value.shape:
        raise ValueError(
            f"The mask of {path} is None for all of it, or has its shape {value.shape} with True "
            f"where a number may move, not the shape {found.shape}."
        )
    if not found.any():
        raise ValueError(f"The mask of {path} leaves nothing free.")
    return found


def _contradicts(wishes: Sequence[Wish], located: Sequence[tuple[object, Index]]) -> bool:
    """Return whether the wishes for one distribution add up to more than 1."""
    sums: dict[tuple[int, Index], float] = {}
    for wish, (tensor, index) in zip(wishes, located, strict=True):
        row = (id(tensor), index[:-1])
        sums[row] = sums.get(row, 0.0) + wish.value
    return any(total >= 1 for total in sums.values())
