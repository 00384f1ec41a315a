"""How fast a training is shown: when each of its steps is due.

A model learns most in its first hundred steps, and these take only a tenth of the time. A run that
is shown therefore takes the more time for a step the earlier it is: the time of a step is that of
the logarithm of 1 + step / `EARLY`, which a timeline of the run has for its axis, too.
"""

import math

from ..model.scenario.view_settings import Pace

EARLY = 30.0  # steps: about so many at the beginning take equally long
SECONDS: dict[Pace, float] = {"slow": 25.0, "fast": 8.0, "full": 0.0}  # of a whole run
LONGEST = 0.25  # seconds for a single step, so that short runs do not crawl
BEHIND = 0.25  # seconds that a run may be late before it stops catching up


def place(step: float, steps: int) -> float:
    """Where a step is on the timeline of its run, from 0 to 1."""
    return math.log1p(step / EARLY) / math.log1p(steps / EARLY)


def step_at(place: float, steps: int) -> float:
    """The step at a place on the timeline; the inverse of ``place``."""
    return EARLY * math.expm1(place * math.log1p(steps / EARLY))


def seconds(pace: Pace, steps: int) -> float:
    """How long a whole run is shown, if it is computed in less."""
    return min(SECONDS[pace], LONGEST / place(1, steps))


def moments(steps: int, count: int) -> list[int]:
    """At most ``count`` steps of a run, evenly spaced on its timeline, with the first and last."""
    if steps < count:
        return list(range(steps + 1))
    parts = max(1, count - 1)
    return sorted({round(step_at(k / parts, steps)) for k in range(parts + 1)})


class Schedule:
    """When the steps of a run are due, from now on.

    A run that is late goes on from where it is: steps that took long are not made up for by others
    that nobody could see.
    """

    def __init__(self, pace: Pace, steps: int, step: int, now: float) -> None:
        """
        Args:
            pace: how fast it is shown.
            steps: of the whole run.
            step: the step that it has reached.
            now: the time in seconds, from any origin.
        """
        self.pace = pace
        self._steps = steps
        self._seconds = seconds(pace, steps)
        self._begin = now - self._at(step)

    def _at(self, step: int) -> float:
        return self._seconds * place(step, self._steps)

    def due(self, now: float) -> int:
        """The step that is to be reached by now."""
        if not self._seconds:
            return self._steps
        at = min((now - self._begin) / self._seconds, 1.0)
        return math.floor(step_at(at, self._steps) + 1e-6)

    def wait(self, step: int, now: float) -> float:
        """Seconds until the step after this one is due; 0 or less if it is."""
        return self._begin + self._at(step + 1) - now

    def left(self, step: int) -> float:
        """Seconds from a step to the end of the run."""
        return self._seconds - self._at(step)

    def keep(self, step: int, now: float) -> None:
        """Begin anew from a step that was reached late."""
        if now - (self._begin + self._at(step)) > BEHIND:
            self._begin = now - self._at(step)
