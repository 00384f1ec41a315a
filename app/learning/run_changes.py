"""Records the step and a short description of each change that the user makes during a run."""

from typing import NamedTuple

from ..model.scenario.scenario import Scenario
from ..number_text import counted


class RunChange(NamedTuple):
    """A change between two steps of a run."""

    step: int
    said: str


class RunChanges:
    """The changes during a run so far; choices made before the run are not included."""

    def __init__(self) -> None:
        self.all: list[RunChange] = []
        self._silences: frozenset[object] | None = None

    def look(self, step: int, scenario: Scenario, numbers: int) -> None:
        """Record changes up to a step since the last call; ``numbers`` counts edited weights."""
        now = frozenset(scenario.silences)
        before, self._silences = self._silences, now
        said = [f"{counted(numbers, 'number')} set"] * (numbers > 0)
        if before is not None and before != now:
            new, gone = len(now - before), len(before - now)
            done = "silenced" if new else "working again"
            said += [f"{counted(new or gone, 'part')} {done}"]
        if not said:
            return
        # All moves of a dragged number are one change.
        if self.all and self.all[-1].step == step:
            self.all.pop()
        self.all.append(RunChange(step, ", ".join(said)))
