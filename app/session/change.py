"""A requested change of the scenario, and classifications of changes."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable
from typing import NamedTuple

from ..model.scenario.scenario import Scenario
from ..view_model.focus import LeftFocus


class Change(NamedTuple):
    """A requested scenario; ``of`` and ``press`` are those of `UndoHistory.record`.

    Attributes:
        is_step: whether the change is an undo step; False for undo and redo themselves.
        since: the scenario it replaces, if that is not the one shown or requested before it.
        at: when it was requested, in seconds; None for now.
        focus: for an undo step, the focus before it; otherwise the focus after it.
    """

    scenario: Scenario
    of: Hashable = None
    press: int = 0
    is_step: bool = True
    since: Scenario | None = None
    at: float | None = None
    focus: LeftFocus = LeftFocus()

    def has_same_target(self, other: Change) -> bool:
        """Whether two changes are values of the same slider, moved by one press."""
        return self.of is not None and (self.of, self.press) == (other.of, other.press)


def is_only_drawn(shown: Scenario, scenario: Scenario) -> bool:
    """Whether only drawing options change, so that no new pass is needed."""
    is_there = scenario.view.plane in (shown.view.plane, "value")
    return is_there and scenario.has_numbers_of(shown)


def is_only_edited(shown: Scenario, scenario: Scenario) -> bool:
    """Whether two scenarios differ only in edited cells and their consequences."""
    if scenario.writes_itself:
        scenario = dataclasses.replace(scenario, target=shown.target)
    return dataclasses.replace(scenario, edits=shown.edits) == shown
