"""Computes the times at which the steps of a shown training are due.

A model learns most in its first hundred steps, which take only a tenth of the computing time. A
shown run therefore spends more time on earlier steps: a step is due in proportion to the logarithm
of 1 + step / `EARLY`, which is also the axis of the run's timeline.
"""

import math

from ..model.scenario.view_settings import Pace

EARLY = 30.0  # each of about this many first steps is shown for the same time
SECONDS: dict[Pace, float] = {"slow": 25.0, "fast": 8.0, "full": 0.0}  # for a whole run
LONGEST = 0.25  # seconds for a single step, so that short runs are not too slow
BEHIND = 0.25  # seconds of delay beyond which a run stops catching up


def place(step: float, steps: int) -> float:
    """Return the position of a step on the timeline of its run, from 0 to 1."""
    return math.log1p(step / EARLY) / math.log1p(steps / EARLY)


def step_at(place: float, steps: int) -> float:
    """Return the step at a position on the timeline; the inverse of ``place``."""
    return EARLY * math.expm1(place * math.log1p(steps / EARLY))


def seconds(pace: Pace, steps: int) -> float:
    """Return the duration of a whole run as shown, if its computation takes less time."""
    return min(SECONDS[pace], LONGEST / place(1, steps))


def moments(steps: int, count: int) -> list[int]:
    """Return at most ``count`` steps, evenly spaced on the timeline, with the first and last."""
    if steps < count:
        return list(range(steps + 1))
    parts = max(1, count - 1)
    return sorted({round(step_at(k / parts, steps)) for k in range(parts + 1)})


class Schedule:
    """The times at which the steps of a run are due, from now on.

    A run that is late by more than `BEHIND` does not catch up: skipped steps would be invisible.
    """

    def __init__(self, pace: Pace, steps: int, step: int, now: float) -> None:
        """Start at a ``step`` of a run of ``steps``; ``now`` is in seconds, from any origin."""
        self.pace = pace
        self._steps = steps
        self._seconds = seconds(pace, steps)
        self._begin = now - self._at(step)

    def _at(self, step: int) -> float:
        return self._seconds * place(step, self._steps)

    def due(self, now: float) -> int:
        """Return the step that should be reached by now."""
        if not self._seconds:
            return self._steps
        at = min((now - self._begin) / self._seconds, 1.0)
        return math.floor(step_at(at, self._steps) + 1e-6)

    def wait(self, step: int, now: float) -> float:
        """Return the seconds until the next step is due; 0 or less if it is already due."""
        return self._begin + self._at(step + 1) - now

    def left(self, step: int) -> float:
        """Return the seconds from a step to the end of the run."""
        return self._seconds - self._at(step)

    def keep(self, step: int, now: float) -> None:
        """Restart the schedule from a step that was reached late."""
        if now - (self._begin + self._at(step)) > BEHIND:
            self._begin = now - self._at(step)
