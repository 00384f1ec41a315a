"""What the user changed while a run went on: at which step, in a few words."""

from __future__ import annotations

from typing import NamedTuple

from ..scenario.scenario import Scenario
from .learned_model import held


class RunChange(NamedTuple):
    """A change between two steps of a run."""

    step: int
    said: str


class RunChanges:
    """The changes of a run so far; what was there when it began is none."""

    def __init__(self) -> None:
        self.all: list[RunChange] = []
        self._seen: tuple[frozenset[object], frozenset[object]] | None = None

    def look(self, step: int, scenario: Scenario) -> None:
        """Note what is set or silenced now that was not before, and what is no longer."""
        numbers = frozenset(
            (path, index, value)
            for path, cells in held(scenario).items()
            for index, value in cells.items()
        )
        now = numbers, frozenset(scenario.silences)
        before, self._seen = self._seen, now
        if before is None or before == now:
            return
        said = [
            *_changed(before[0], now[0], "number", "set", "given back"),
            *_changed(before[1], now[1], "part", "silenced", "heard again"),
        ]
        # A number that is dragged is one change.
        if self.all and self.all[-1].step == step:
            self.all.pop()
        self.all.append(RunChange(step, ", ".join(said)))


def _changed(
    before: frozenset[object], now: frozenset[object], what: str, came: str, went: str
) -> list[str]:
    new, gone = len(now - before), len(before - now)
    if new:
        return [f"{new} {what}{'s' * (new > 1)} {came}"]
    return [f"{gone} {what}{'s' * (gone > 1)} {went}"] if gone else []
