"""Steps of a pull by sequential quadratic programming, toward the wishes and back to the start.

Each step solves the problem with the pass linearized (Nocedal and Wright, Numerical Optimization,
2nd edition, Chapter 18):

    x ← x₀ + Jᵀ(J Jᵀ)⁻¹(t − c(x) + J(x − x₀)),

where c are the log odds of the probabilities, t their targets and J their gradients. Log odds are
used because the slope of a probability vanishes near 0 and 1. The change of log odds in a step is
bounded, and halved until the step helps.

To change few numbers instead of all of them a little, ``|x − x₀|`` is weighted by its size in the
step before (iteratively reweighted least squares; Chartrand and Yin, 2008).
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

import numpy as np

from transformer_math.experiments.pull_problem import Point, Problem

MAX_STEP = 2.0  # largest change of log odds at which a step aims
MAX_LENGTH = 0.05  # largest length of a step, as a fraction of the length of all free numbers
MIN_GAIN = 0.3  # a step must achieve this fraction of the change at which it aims
BACK = (1.0, 0.3, 0.0)  # fractions of the useless part of the change to undo, in this order
SHORTER = (1.0, 0.5, 0.25, 0.1)  # the same once every wish is granted
CORRECTED = 0.5  # fractions of at least this are corrected for curvature
HALVINGS = 5
MIN_FIRST = 0.5  # the first try of a step aims at least at this fraction of the gap
MAX_TANGENTS = 4  # largest number of linearizations that a step combines
BLOCKED = 0.25  # predicted decrease of the length, as a fraction, above which a way is blocked
MOST = 300  # steps of a walk
PATIENCE = 6  # steps in a row without progress before the search ends
SHORT_PATIENCE = 2  # the same once every wish is granted
MIN_PROGRESS = 1e-2  # smallest decrease of the gap that counts, as a fraction
MIN_SHORTENING = 1e-3  # smallest decrease of the length of the change that counts, as a fraction
SLIDES = 100  # steps of a slide
FIRST_SLIDE, LEAST_SLIDE = 0.5, 0.01  # fractions of the useless change that a step undoes
LONGER, SHORTER_SLIDE = 1.5, 1 / 3  # factors for the next step if a step helped, and if not
LEAST_USELESS = 1e-3  # smallest useless part of the change, as a fraction, for another step
RETURNS = 4  # steps back to the wishes
_RIDGE = 1e-9


class Walk:
    """A walk through the points of a problem.

    Attributes:
        is_blocked: whether the way back ended although the pass, linearized, allows a much shorter
            change, as before the kink of a ReLU.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self.is_blocked = False
        self._step = MAX_STEP
        self._radius = MAX_LENGTH * (1 + float(np.linalg.norm(problem.start.x)))

    def toward(self, point: Point, most: int = MOST) -> Generator[Point, None, Point]:
        """Yield at most ``most`` points until every wish is granted; return the last point."""
        problem, best, idle = self._problem, np.inf, 0
        for _ in range(most):
            if problem.is_granted(point):
                break
            left = problem.gap(point)
            idle = 0 if left < best * (1 - MIN_PROGRESS) else idle + 1
            best = min(best, left)
            following = self._next(point) if idle <= PATIENCE else None
            if following is None:
                break
            point = following
            yield point
        return point

    def back(self, point: Point, most: int) -> Generator[Point, None, Point]:
        """Yield at most ``most`` points with ever shorter changes; keep every wish granted."""
        problem, best, idle = self._problem, np.inf, 0
        for _ in range(most):
            left = problem.length(point)
            idle = 0 if left < best * (1 - MIN_SHORTENING) else idle + 1
            best = min(best, left)
            following = self._next(point) if idle <= SHORT_PATIENCE and left else None
            if following is None:
                break
            point = following
            yield point
        return point

    def slide(self, point: Point) -> Point:
        """Make the change shorter by steps that may leave the wishes and return to them.

        The points that grant the wishes form a thin curved sheet with folds. `back` stays on the
        sheet and ends at a fold; here each step leaves the sheet, and Newton's steps return to it.
        """
        problem, part = self._problem, FIRST_SLIDE
        for _ in range(SLIDES):
            moved = point.x - problem.start.x
            J, weight = problem.slopes(point), problem.weight(moved)
            back = _least(J, weight, J @ moved) - moved
            if np.linalg.norm(back) <= LEAST_USELESS * np.linalg.norm(moved):
                break
            after = self._returned(problem.at(point.x + part * back))
            if problem.is_granted(after) and problem.length(after) < problem.length(point):
                point, part = after, min(1.0, part * LONGER)
            else:
                part *= SHORTER_SLIDE
                if part < LEAST_SLIDE:
                    break
        return point

    def _returned(self, point: Point) -> Point:
        """Return the point to which a few of Newton's steps toward the wishes lead."""
        problem = self._problem
        for _ in range(RETURNS):
            if problem.is_granted(point) or not np.isfinite(point.reached).all():
                break
            weight = problem.weight(point.x - problem.start.x)
            missing = np.clip(problem.missing(point), -MAX_STEP, MAX_STEP)
            point = problem.at(point.x + _least(problem.slopes(point), weight, missing))
        return point

    def _next(self, point: Point) -> Point | None:
        """Return the next point; None if no step helps."""
        problem = self._problem
        tangents = [problem.slopes(point)]
        if problem.is_granted(point):
            return self._try_steps(point, tangents)[0]
        nearest = point
        for _ in range(MAX_TANGENTS):
            found, failed = self._try_steps(point, tangents)
            if found is not None:
                return found
            nearest = min(nearest, *failed, key=problem.gap)
            # The gradients may differ across the kink of a ReLU, so the next step has to help by
            # the linearizations on both sides.
            tangents.append(problem.slopes(failed[-1]))
        # If no step helps enough, take the nearest point.
        return None if nearest is point else nearest

    def _try_steps(
        self, point: Point, tangents: Sequence[np.ndarray]
    ) -> tuple[Point | None, list[Point]]:
        """Try steps of decreasing size until one helps.

        Args:
            point: the starting point.
            tangents: the gradients (wishes, free) at this point, and at later points that failed.

        Returns:
            The first point that helps, or None, and the last point tried at each size that failed.
        """
        problem = self._problem
        J, moved = tangents[0], point.x - problem.start.x
        weight = problem.weight(moved)
        back = _least(J, weight, J @ moved) - moved  # undoes the part that has no effect
        missing = problem.missing(point)
        failed: list[Point] = []
        largest = MAX_STEP
        if len(tangents) == 1:
            largest = max(self._step, MIN_FIRST * problem.gap(point))
        granted = problem.is_granted(point)
        if granted and not self._shortens(point, back):
            return None, failed
        for halved in range(1 if granted else HALVINGS):
            step = largest / 2**halved
            asked = np.tile(np.clip(missing, -step, step), len(tangents))
            toward = _least(np.concatenate(tangents), weight, asked)
            toward *= min(1.0, self._radius / max(float(np.linalg.norm(toward)), 1e-30))
            for part in SHORTER if granted else BACK:
                candidate = problem.at(point.x + toward + part * back)
                if granted and part >= CORRECTED and not problem.is_granted(candidate):
                    # Correct the step, because the points that grant the wishes form a curve.
                    missing = problem.missing(candidate)
                    candidate = problem.at(candidate.x + _least(J, weight, missing))
                if self._helps(point, candidate, step):
                    self._step = min(MAX_STEP, step * (1 if halved else 1.5))
                    return candidate, failed
            failed.append(candidate)
        return None, failed

    def _shortens(self, point: Point, back: np.ndarray) -> bool:
        """Return whether the way back makes the change shorter according to the linearization."""
        length = self._problem.length(point)
        shorter = self._problem.length(point._replace(x=point.x + back))
        self.is_blocked = shorter < length * (1 - BLOCKED)
        return shorter < length * (1 - MIN_SHORTENING)

    def _helps(self, before: Point, after: Point, step: float) -> bool:
        """Return whether a step achieves enough or, once all is granted, shortens the change."""
        problem = self._problem
        if not np.isfinite(after.reached).all():
            return False
        if problem.is_granted(before):
            return problem.is_granted(after) and problem.length(after) < problem.length(before)
        gap = problem.gap(before)
        return problem.is_granted(after) or problem.gap(after) < gap - MIN_GAIN * min(gap, step)


def _least(J: np.ndarray, weight: np.ndarray | float, odds: np.ndarray) -> np.ndarray:
    """Return the smallest weighted step that changes the log odds by ``odds``, linearized by J."""
    gram = (J * weight) @ J.T
    gram += np.eye(len(gram)) * (_RIDGE * np.trace(gram) + 1e-30)
    return np.asarray((J * weight).T @ np.linalg.solve(gram, odds))
