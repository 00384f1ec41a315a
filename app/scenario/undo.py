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

    Changes of one and the same thing are one step if they come in quick succession, such as the
    letters of a word, or by one press of a pointer, however long that takes.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.past: list[Scenario] = []
        self.future: list[Scenario] = []
        self._clock = clock
        self._last: tuple[Hashable, float, int] = (None, 0.0, 0)

    def copy(self) -> UndoHistory:
        """The same steps, to try out one more."""
        other = UndoHistory(self._clock)
        other.past, other.future, other._last = [*self.past], [*self.future], self._last
        return other

    def record(self, old: Scenario, new: Scenario, of: Hashable = None, press: int = 0) -> bool:
        """Note that ``new`` takes the place of ``old``; ``of`` names the thing that changed.

        ``press`` is the number of the press by which it did, 0 where no pointer was down.

        How matrices are drawn is no step: undoing must not switch colors back. Returns whether a
        step has begun.
        """
        if dataclasses.replace(old, view=new.view) == new:
            return False
        now = self._clock()
        last_of, last_time, last_press = self._last
        is_same = of is not None and (of, press) == (last_of, last_press)
        merges = is_same and (press or now - last_time < MERGE_SECONDS) and self.past
        if merges and dataclasses.replace(self.past[-1], view=new.view) == new:
            self.past = self.past[:-1]  # given back at once: nothing has changed
            of = None
        elif not merges:
            self.past = [*self.past[1 - MAX_STEPS :], old]
        self.future = []
        self._last = (of, now, press)
        return not merges

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
        self._last = (None, 0.0, 0)
        return dataclasses.replace(here.pop(), view=now.view)
