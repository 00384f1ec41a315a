"""Undo and redo history: the scenarios before and after the current one, each with its focus."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Hashable
from typing import NamedTuple, Protocol, TypeAlias

from ..scenario.scenario import Scenario
from .focus import Focus

MAX_STEPS = 300  # scenarios that undo can return to
MAX_BYTES = 1 << 20  # of the edits of all of them: each scenario has all of its edits
MAX_WEIGHT_BYTES = 1 << 29  # of the weights that they have
BYTES_AN_EDIT = 40  # of a dict's entry; the edits themselves are shared
MERGE_SECONDS = 1.0


class Step(NamedTuple):
    """A scenario that undo or redo returns to, and what was in focus when it was left."""

    scenario: Scenario
    focus: Focus = Focus()


class Unread(Protocol):
    """A saved undo step that is parsed only when undo or redo reaches it."""

    def read(self, now: Step) -> Step:
        """Parse the step, given the neighboring step ``now``.

        Raises:
            ValueError: the step cannot be parsed; the message is one sentence.
        """


AnyStep: TypeAlias = Step | Unread


def _bounded(steps: list[AnyStep], now: Scenario) -> list[AnyStep]:
    """The latest steps, as many as fit into the memory that is meant for them; at least one."""
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
    """The undo and redo history.

    Successive changes of the same thing are merged into one step if they are close in time, such as
    the letters of a word, or belong to one press of a pointer, however long it lasts.

    Attributes:
        past: steps to undo to, the most recent last.
        future: undone steps, the most recently undone last.
        is_cut: whether older steps were dropped because a tab could not store them.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.past: list[AnyStep] = []
        self.future: list[AnyStep] = []
        self.is_cut = False
        self._clock = clock
        self._last: tuple[Hashable, float, int] = (None, 0.0, 0)

    def copy(self) -> UndoHistory:
        """A copy of the history, to try one more step on."""
        other = UndoHistory(self._clock)
        other.past, other.future, other._last = [*self.past], [*self.future], self._last
        other.is_cut = self.is_cut
        return other

    @property
    def last(self) -> Scenario | None:
        """The previous scenario; None if there is none or it has not been parsed yet."""
        step = self.past[-1] if self.past else None
        return step.scenario if isinstance(step, Step) else None

    def record(
        self,
        old: Scenario,
        new: Scenario,
        of: Hashable = None,
        press: int = 0,
        at: float | None = None,
        focus: Focus | None = None,
    ) -> bool:
        """Record that one scenario replaces another.

        A change in how matrices are drawn is not a step: undo must not switch colors back.

        Args:
            old: the scenario that is replaced.
            new: the scenario that replaces it.
            of: identifies what was changed, for merging.
            press: the number of the pointer press that made the change; 0 for none.
            at: the time of the change in seconds; None for now.
            focus: what was in focus before the change; None for nothing.

        Returns:
            Whether a new step was added.
        """
        if dataclasses.replace(old, view=new.view) == new:
            return False
        now = self._clock() if at is None else at
        last_of, last_time, last_press = self._last
        is_same = of is not None and (of, press) == (last_of, last_press)
        merges = is_same and (press or now - last_time < MERGE_SECONDS) and self.last is not None
        if merges and self.last and dataclasses.replace(self.last, view=new.view) == new:
            self.past = self.past[:-1]  # merged changes that cancel out leave no step
            of = None
        elif not merges:
            self.past = _bounded([*self.past[1 - MAX_STEPS :], Step(old, focus or Focus())], new)
        self.future = []
        self._last = (of, now, press)
        return not merges

    def undo(self, now: Step) -> Step | None:
        """The previous step with the current drawing options; None if there is none.

        Raises:
            ValueError: the saved step cannot be parsed; it and all earlier steps are dropped.
        """
        return self._move(self.past, self.future, now)

    def redo(self, now: Step) -> Step | None:
        """The step that was undone last; None if there is none.

        Raises:
            ValueError: as for ``undo``.
        """
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
        self._last = (None, 0.0, 0)
        shown = dataclasses.replace(found.scenario, view=now.scenario.view)
        return found._replace(scenario=shown)
