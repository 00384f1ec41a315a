"""Describes a requested change of the scenario, and classifies changes."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable
from typing import NamedTuple

from ..model.scenario.scenario import Scenario
from ..view_model.focus import LeftFocus


class Change(NamedTuple):
    """A requested scenario; for ``of`` and ``press`` see `LastEdit`."""

    scenario: Scenario
    of: Hashable = None
    press: int = 0
    is_step: bool = True  # False for undo and redo
    since: Scenario | None = None  # the replaced scenario; None for the shown or requested one
    at: float | None = None  # in seconds; None for now
    focus: LeftFocus = LeftFocus()  # before a step, or the focus that undo or redo restores

    def has_same_target(self, other: Change) -> bool:
        """Return whether two changes are values of the same slider, moved by one press."""
        return self.of is not None and (self.of, self.press) == (other.of, other.press)


def is_only_drawn(shown: Scenario, scenario: Scenario) -> bool:
    """Return whether only drawing options change, so that no new pass is needed."""
    is_there = scenario.view.plane in (shown.view.plane, "value")
    return is_there and scenario.has_numbers_of(shown)


def is_only_edited(shown: Scenario, scenario: Scenario) -> bool:
    """Return whether two scenarios differ only in edited cells and their consequences."""
    if scenario.writes_itself:
        scenario = dataclasses.replace(scenario, target=shown.target)
    return dataclasses.replace(scenario, edits=shown.edits) == shown
