"""Pulling: the smallest change of chosen numbers that gives probabilities their wished-for values.

Minimize ``|x − x₀|²`` subject to pₖ(x) ≥ qₖ for every wish k for a higher probability, and ≤ for a
lower probability. A walk of quadratic steps solves most problems (``pull_walk``). If it ends too
soon, other ways are tried (``pull_roads``). Finally the walk shortens the change that was found.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

import numpy as np

from transformer_math.arguments import checked
from transformer_math.checks import check_whole
from transformer_math.experiments.pull_problem import Forward, Free, Point, Problem, Wishes
from transformer_math.experiments.pull_roads import beginnings, depends, road, shortcut, shortcuts
from transformer_math.experiments.pull_walk import Walk

LIMIT = 600  # steps
POLISH = 8  # steps that make the change smaller once every wish is granted
LONG_POLISH = 60  # the same after another way than the direct way; its change may be large

# The reason why a pull ends. "independent": no wish depends on the free numbers.
# "contradiction": the wishes for one distribution add up to 1 or more. "not found": all ways were
# tried without success, although a solution may exist.
Ending = Literal["", "granted", "independent", "contradiction", "not found"]


class Pulled(NamedTuple):
    """The state of a pull after a step.

    Attributes:
        step: the number of steps taken.
        arrays: path -> present value of each free tensor.
        reached: the present value for each wish.
        distance: √Σ(x − x₀)² over all free numbers.
        moved: the number of free numbers that differ in the arrays from those at the start.
        largest: the largest change of a number.
        granted: whether every wish is granted.
        ended: whether this is the last state; the nearest state if the wishes are not granted.
        way: the number of the present way, from 0 for the direct way.
        ending: the reason why the pull ended; empty before its end.
    """

    step: int
    arrays: Mapping[str, np.ndarray]
    reached: tuple[float, ...]
    distance: float
    moved: int
    largest: float
    granted: bool
    ended: bool
    way: int
    ending: Ending


@checked()
def pull(
    forward: Forward,
    wishes: Wishes,
    free: Free | Iterable[str] | str,
    *,
    few: bool = False,
    direct: bool = False,
    limit: int = LIMIT,
) -> Iterator[Pulled]:
    """Change free numbers step by step until every wish is granted, or no way is found.

    Args:
        forward: runs a pass of one example, without dropout or with the same masks each time.
        wishes: the wishes, at least one.
        free: path -> mask of the numbers that may change, None for all; or a list of paths.
            ``…head.1.W_q`` is that of one head. A computed tensor is changed as by an override.
        few: whether to change few numbers instead of all of them a little.
        direct: whether to give up if the direct way ends, without trying other ways.
        limit: the maximal number of steps.

    Yields:
        The state before the first step, and after every step.

    Raises:
        NoSuchPath: a path is not in the pass.
        ValueError: there is no wish or no free number, a wish is not for a cell of a softmax or not
            between 0 and 1, a mask does not fit, or the pass is of a batch.
    """
    check_whole("limit", limit, 0)
    return _Pull(Problem(forward, wishes, free, few), direct).run(limit)


class _Pull:
    """The course of a pull."""

    def __init__(self, problem: Problem, direct: bool) -> None:
        self._problem = problem
        self._direct = direct
        self._way = 0
        self._ending: Ending = "not found"
        self._best = problem.start

    def run(self, limit: int) -> Iterator[Pulled]:
        """Yield the states; the last state is the best, even if the limit ends the pull."""
        before, step = self._problem.start, 0
        points = self._points()
        while step < limit and (point := next(points, None)) is not None:
            yield self._state(step, before, self._way, "")
            self._best = min(self._best, point, key=self._rank)
            before, step = point, step + 1
        granted = self._problem.is_granted(self._best)
        yield self._state(step, self._best, self._way, "granted" if granted else self._ending)

    def _points(self) -> Iterator[Point]:
        """Yield the points of each way until one grants every wish, and those of the way back."""
        problem = self._problem
        point = yield from Walk(problem).toward(problem.start)
        if not problem.is_granted(point):
            if not depends(problem, problem.slopes(problem.start)):
                self._ending = "independent"
            elif problem.contradicts:
                self._ending = "contradiction"
            elif not self._direct:
                point = yield from self._other_ways(point)
        if problem.is_granted(point):
            back = Walk(problem)
            if not self._way:
                point = yield from back.back(point, POLISH)
                if back.is_blocked:
                    point = yield from shortcut(problem, point)
                    point = yield from back.back(point, POLISH)
            else:
                point = yield from shortcuts(problem, point)
                point = yield from back.back(point, LONG_POLISH)
            if not self._direct:
                yield back.slide(point)

    def _other_ways(self, point: Point) -> Generator[Point, None, Point]:
        """Yield the points of the other ways, and return the last point."""
        problem = self._problem
        for way, begin in beginnings(problem):
            self._way += 1
            point = yield from road(problem, way, begin)
            if problem.is_granted(point):
                break
            point = yield from Walk(problem).toward(point)
            if problem.is_granted(point):
                break
        return point

    def _rank(self, point: Point) -> tuple[bool, float]:
        """Return a sort key for points: first whether granted, then the length, or else the gap."""
        granted = self._problem.is_granted(point)
        return not granted, (self._problem.length if granted else self._problem.gap)(point)

    def _state(self, step: int, point: Point, way: int, ending: Ending) -> Pulled:
        problem = self._problem
        moved, first = np.abs(point.x - problem.start.x), problem.arrays(problem.start.x)
        arrays = problem.arrays(point.x)
        return Pulled(
            step,
            arrays,
            tuple(point.reached.tolist()),
            float(np.linalg.norm(moved)),
            sum(int((array != first[path]).sum()) for path, array in arrays.items()),
            float(moved.max()),
            problem.is_granted(point),
            bool(ending),
            way,
            ending,
        )
