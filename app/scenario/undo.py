"""Undo and redo: the scenarios before and after the present one."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Hashable

from .scenario import Scenario

MAX_STEPS = 300  # scenarios that can be gone back to
MERGE_SECONDS = 1.0


class UndoHistory:
    """What can be undone and redone.

    Changes of one and the same thing in quick succession, such as the moves of a slider or the
    letters of a word, are one step.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.past: list[Scenario] = []
        self.future: list[Scenario] = []
        self._clock = clock
        self._last: tuple[Hashable, float] = (None, 0.0)

    def copy(self) -> UndoHistory:
        """The same steps, to try out one more."""
        other = UndoHistory(self._clock)
        other.past, other.future, other._last = [*self.past], [*self.future], self._last
        return other

    def record(self, old: Scenario, new: Scenario, of: Hashable = None) -> None:
        """Note that ``new`` takes the place of ``old``; ``of`` names the thing that changed.

        How matrices are drawn is no step: undoing must not switch colors back.
        """
        if dataclasses.replace(old, view=new.view) == new:
            return
        now = self._clock()
        last_of, last_time = self._last
        merges = of is not None and of == last_of and now - last_time < MERGE_SECONDS and self.past
        if merges and dataclasses.replace(self.past[-1], view=new.view) == new:
            self.past = self.past[:-1]  # given back at once: nothing has changed
            of = None
        elif not merges:
            self.past = [*self.past[1 - MAX_STEPS :], old]
        self.future = []
        self._last = (of, now)

    def undo(self, now: Scenario) -> Scenario | None:
        """The scenario before this one, drawn as this one is; None if there is none."""
        return self._move(self.past, self.future, now)

    def redo(self, now: Scenario) -> Scenario | None:
        """The scenario that was undone last; None if there is none."""
        return self._move(self.future, self.past, now)

    def _move(self, here: list[Scenario], there: list[Scenario], now: Scenario) -> Scenario | None:
        if not here:
            return None
        there.append(now)
        self._last = (None, 0.0)
        return dataclasses.replace(here.pop(), view=now.view)
