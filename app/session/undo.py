"""Undo and redo history: the scenarios before and after the current one, each with its focus."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ..model.scenario.scenario import Scenario
from ..view_model.focus import LeftFocus
from ..view_model.last_edit import LastEdit

if TYPE_CHECKING:
    from .saved_history import KeptStep

MAX_STEPS = 300  # scenarios that undo can return to
MAX_BYTES = 1 << 20  # total of the edits; each scenario stores all of its edits
MAX_WEIGHT_BYTES = 1 << 29  # total of the weights
BYTES_AN_EDIT = 40  # bytes of a dict's entry; the edits themselves are shared


NO_FOCUS = LeftFocus()


class Step(NamedTuple):
    """A scenario that undo or redo returns to, and the focus at the time it was left."""

    scenario: Scenario
    focus: LeftFocus = NO_FOCUS


AnyStep: TypeAlias = "Step | KeptStep"


def _bounded(steps: list[AnyStep], now: Scenario) -> list[AnyStep]:
    """Return the latest steps that fit into the memory limits; at least one."""
    left, weights_left = MAX_BYTES, MAX_WEIGHT_BYTES
    known = {id(now.weights)}
    for count, step in enumerate(reversed(steps)):
        if isinstance(step, Step):
            weights = step.scenario.weights
            left -= BYTES_AN_EDIT * len(step.scenario.edits)
            if weights is not None and id(weights) not in known:
                known.add(id(weights))
                weights_left -= sum(array.nbytes for array in weights.arrays.values())
        if count and min(left, weights_left) < 0:
            return steps[-count:]
    return steps


class UndoHistory:
    """The undo and redo history: one step for each edit or oscillation, however long."""

    def __init__(self) -> None:
        self.past: list[AnyStep] = []  # the most recent last
        self.future: list[AnyStep] = []  # the most recently undone last
        self.is_cut = False  # whether older steps were dropped because a tab could not store them
        self._edit = 0  # the number of the edit that the most recent step undoes; 0 for none

    def copy(self) -> UndoHistory:
        """Return a copy of the history, for trying a further step."""
        other = UndoHistory()
        other.past, other.future, other._edit = [*self.past], [*self.future], self._edit
        other.is_cut = self.is_cut
        return other

    def record(self, edit: LastEdit, focus: LeftFocus = NO_FOCUS) -> bool:
        """Record an edit, or a further move of the edit that was recorded last.

        ``focus`` is the focus before this move. Return whether a new step was added.
        """
        is_new = not self.past or edit.number != self._edit
        self._edit, self.future = edit.number, []
        if is_new:
            step = Step(edit.before, focus)
            self.past = _bounded([*self.past[1 - MAX_STEPS :], step], edit.after)
        elif edit.before.has_numbers_of(edit.after):
            self.past = self.past[:-1]  # moves that cancel out leave no step
            self._edit = 0
        return is_new

    def record_swing(self, step: Step) -> None:
        """Record an oscillation, which changes no number: its step has the present scenario."""
        self.past = _bounded([*self.past[1 - MAX_STEPS :], step], step.scenario)

    def is_swing(self, now: Scenario) -> bool:
        """Return whether undo reverts an oscillation."""
        step = self.past[-1] if self.past else None
        return isinstance(step, Step) and step.scenario.has_numbers_of(now)

    def takes_back(self, edit: LastEdit) -> bool:
        """Return whether undo reverts exactly this edit."""
        step = self.past[-1] if self.past else None
        return isinstance(step, Step) and step.scenario is edit.before

    def undo(self, now: Step) -> Step | None:
        """Go back a step and return it with the current drawing options; None if there is none.

        If the saved step cannot be parsed, drop it with all earlier steps and raise ``ValueError``.
        """
        return self._move(self.past, self.future, now)

    def redo(self, now: Step) -> Step | None:
        """Go forward a step and return it; None if there is none. See ``undo``."""
        return self._move(self.future, self.past, now)

    def _move(self, here: list[AnyStep], there: list[AnyStep], now: Step) -> Step | None:
        if not here:
            return None
        found = here.pop()
        if not isinstance(found, Step):
            try:
                found = found.read(now)
            except ValueError:
                here.clear()
                raise
        there.append(now)
        self._edit = 0
        shown = dataclasses.replace(found.scenario, view=now.scenario.view)
        return found._replace(scenario=shown)
