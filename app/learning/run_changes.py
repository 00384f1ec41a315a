"""What the user changed while a run went on: at which step, in a few words."""

from typing import NamedTuple

from ..model.scenario.scenario import Scenario
from ..number_text import counted


class RunChange(NamedTuple):
    """A change between two steps of a run."""

    step: int
    said: str


class RunChanges:
    """The changes of a run so far; what was there when it began is none."""

    def __init__(self) -> None:
        self.all: list[RunChange] = []
        self._silences: frozenset[object] | None = None

    def look(self, step: int, scenario: Scenario, numbers: int) -> None:
        """Note what was changed since the last call.

        Args:
            step: the step that the run has reached.
            scenario: the scenario of the page.
            numbers: how many weights were set.
        """
        now = frozenset(scenario.silences)
        before, self._silences = self._silences, now
        said = [f"{counted(numbers, 'number')} set"] * (numbers > 0)
        if before is not None and before != now:
            new, gone = len(now - before), len(before - now)
            done = "silenced" if new else "heard again"
            said += [f"{counted(new or gone, 'part')} {done}"]
        if not said:
            return
        # A number that is dragged is one change.
        if self.all and self.all[-1].step == step:
            self.all.pop()
        self.all.append(RunChange(step, ", ".join(said)))
