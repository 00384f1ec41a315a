"""Other ways to a wish, tried before a pull gives up: gradient descent, and other starts.

A walk (``pull_walk``) ends at a point where no single step helps, for instance before the kink of a
ReLU, or if an attention has nearly all weight on one word. A road is a descent with Adam (Kingma
and Ba, 2015), whose momentum passes these points; a start from other numbers avoids them. The walk
continues from the end of a road. The shortest roads are tried first.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import NamedTuple

import numpy as np

from transformer_math.experiments.pull_problem import Point, Problem
from transformer_math.experiments.pull_walk import Walk
from transformer_math.seeding import generator

BETA_1, BETA_2 = 0.9, 0.98
PATIENCE = 80  # steps without progress before a road ends
MIN_PROGRESS = 1e-2  # smallest decrease of the gap that counts, as a fraction
SHOWN = 10  # steps of a road between two yielded points
HALF, FEW = 0.5, 4  # of a single shortcut: the start, as a part of the way, and the steps
SHORTCUTS = 4  # the maximum number of shortcuts, one after another
PARTS = (0.3, 0.7)  # the starts of shortcuts, as parts of the way to its end
MIN_SHORTCUT = 0.03  # smallest decrease of the length that counts, as a fraction
PROBES = 3  # random points at which `depends` looks for an effect of the numbers
ROUNDING = 1e-4  # of log odds, in float32


class Way(NamedTuple):
    """One way to try.

    Attributes:
        away: the random distance of its start from the numbers, relative to their size.
        rate: the step size of the road, relative to their size.
        steps: the number of steps of the road.
    """

    away: float
    rate: float
    steps: int


WAYS = (
    Way(0.0, 0.03, 200),
    Way(0.3, 0.06, 200),
    Way(0.0, 0.15, 200),
    Way(1.0, 0.1, 200),
    Way(1.0, 0.06, 200),
)


def beginnings(problem: Problem) -> Iterator[tuple[Way, Point]]:
    """Yield the ways to try, in order, each with the point where it begins."""
    for number, way in enumerate(WAYS):
        yield way, _elsewhere(problem, way.away, f"pull {number}") if way.away else problem.start


def road(problem: Problem, way: Way, point: Point) -> Generator[Point, None, Point]:
    """Yield points along the gradient until every wish is passed; return the nearest point."""
    mean, square = np.zeros_like(point.x), np.zeros_like(point.x)
    nearest, best, since = point, np.inf, 0
    for step in range(1, way.steps + 1):
        slope = problem.pull(point)
        mean = BETA_1 * mean + (1 - BETA_1) * slope
        square = BETA_2 * square + (1 - BETA_2) * slope**2
        spread = np.sqrt(square / (1 - BETA_2**step)) + 1e-12
        move = mean / (1 - BETA_1**step) / spread
        after = problem.at(point.x + way.rate * problem.size * move)
        if not np.isfinite(after.reached).all():
            break
        point = after
        nearest = min(nearest, point, key=problem.gap)
        if problem.gap(point) < best * (1 - MIN_PROGRESS):
            best, since = problem.gap(point), step
        if step - since > PATIENCE:
            break
        if problem.is_past(point):
            return point
        if step % SHOWN == 0:
            yield point
    return nearest


def shortcut(problem: Problem, point: Point) -> Generator[Point, None, Point]:
    """Yield the points of one shortcut of a few steps; return the end of the shorter way."""
    begin = problem.at(problem.start.x + (point.x - problem.start.x) * HALF)
    end = yield from Walk(problem).toward(begin, FEW)
    shorter = problem.is_granted(end) and problem.length(end) < problem.length(point)
    return end if shorter else point


def shortcuts(problem: Problem, point: Point) -> Generator[Point, None, Point]:
    """Yield points of shorter ways to the wishes; return the end of the shortest way.

    A way may be much longer than necessary. A walk that starts on the straight line to the end of
    the way often finds a nearer point.
    """
    shortest = point
    for _ in range(SHORTCUTS):
        for part in PARTS:
            moved = shortest.x - problem.start.x
            begin = problem.at(problem.start.x + part * moved)
            end = yield from Walk(problem).toward(begin)
            shorter = problem.length(end) < problem.length(shortest) * (1 - MIN_SHORTCUT)
            if problem.is_granted(end) and shorter:
                shortest = end
                break
        else:
            break
    return shortest


def depends(problem: Problem, slopes: np.ndarray) -> bool:
    """Return whether any wished-for probability depends on the free numbers.

    No probability does if all slopes are 0, also at random points, and the probabilities there
    differ only by rounding.
    """
    if slopes.any():
        return True
    for number in range(PROBES):
        point = _elsewhere(problem, 1.0, f"probe {number}")
        changed = np.abs(point.odds - problem.start.odds).max() > ROUNDING
        if changed or problem.slopes(point).any():
            return True
    return False


def _elsewhere(problem: Problem, away: float, name: str) -> Point:
    noise = generator(0, name).standard_normal(len(problem.start.x))
    return problem.at(problem.start.x + away * problem.size * noise)
