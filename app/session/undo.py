"""Undo and redo: the scenarios before and after the present one."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Hashable
from typing import Protocol, TypeAlias

from ..scenario.scenario import Scenario

MAX_STEPS = 300  # scenarios that can be gone back to
MERGE_SECONDS = 1.0


class Unread(Protocol):
    """A scenario that a tab has kept; it is read when it is gone back to."""

    def read(self, now: Scenario) -> Scenario:
        """The scenario, if ``now`` is the one beside it.

        Raises:
            ValueError: it cannot be read; one sentence.
        """


Step: TypeAlias = Scenario | Unread


class UndoHistory:
    """What can be undone and redone.

    Changes of one and the same thing are one step if they come in quick succession, such as the
    letters of a word, or by one press of a pointer, however long that takes.

    Attributes:
        past: what can be gone back to, the last step last.
        future: what was undone, the last step last.
        is_cut: whether there were steps before these that a tab could not keep.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.past: list[Step] = []
        self.future: list[Step] = []
        self.is_cut = False
        self._clock = clock
        self._last: tuple[Hashable, float, int] = (None, 0.0, 0)

    def copy(self) -> UndoHistory:
        """The same steps, to try out one more."""
        other = UndoHistory(self._clock)
        other.past, other.future, other._last = [*self.past], [*self.future], self._last
        other.is_cut = self.is_cut
        return other

    @property
    def last(self) -> Scenario | None:
        """The scenario before this one, if it is read already."""
        return self.past[-1] if self.past and isinstance(self.past[-1], Scenario) else None

    def record(
        self,
        old: Scenario,
        new: Scenario,
        of: Hashable = None,
        press: int = 0,
        at: float | None = None,
    ) -> bool:
        """Note that a scenario takes the place of another one.

        How matrices are drawn is no step: undoing must not switch colors back.

        Args:
            old: that was there.
            new: that takes its place.
            of: names the thing that changed.
            press: by which it did, a number; 0 where nobody pressed anything.
            at: when that was, in seconds; None: now.

        Returns:
            Whether a step has begun.
        """
        if dataclasses.replace(old, view=new.view) == new:
            return False
        now = self._clock() if at is None else at
        last_of, last_time, last_press = self._last
        is_same = of is not None and (of, press) == (last_of, last_press)
        merges = is_same and (press or now - last_time < MERGE_SECONDS) and self.last is not None
        if merges and self.last and dataclasses.replace(self.last, view=new.view) == new:
            self.past = self.past[:-1]  # given back at once: nothing has changed
            of = None
        elif not merges:
            self.past = [*self.past[1 - MAX_STEPS :], old]
        self.future = []
        self._last = (of, now, press)
        return not merges

    def undo(self, now: Scenario) -> Scenario | None:
        """The scenario before this one, drawn as this one is; None if there is none.

        Raises:
            ValueError: it was kept by a tab and cannot be read; then it is gone, and all before it.
        """
        return self._move(self.past, self.future, now)

    def redo(self, now: Scenario) -> Scenario | None:
        """The scenario that was undone last; None if there is none.

        Raises:
            ValueError: as for ``undo``.
        """
        return self._move(self.future, self.past, now)

    def _move(self, here: list[Step], there: list[Step], now: Scenario) -> Scenario | None:
        if not here:
            return None
        found = here.pop()
        if not isinstance(found, Scenario):
            try:
                found = found.read(now)
            except ValueError:
                here.clear()
                raise
        there.append(now)
        self._last = (None, 0.0, 0)
        return dataclasses.replace(found, view=now.view)
