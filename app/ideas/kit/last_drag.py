"""Remembers the last drag in a picture, and the state before it."""

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

from ...model.scenario.scenario import Scenario


class Before(NamedTuple):
    """The state when a drag began."""

    scenario: Scenario
    seen: Any  # the data that the picture showed; its type depends on the subclass


class _Drag(NamedTuple):
    of: Hashable
    before: Before
    start: object  # the mark before the drag
    end: object  # the mark that was requested last


class LastDrag:
    """Remembers the start of a drag, or of a series of arrow keys.

    A mark is everything that a drag or another choice of the picture changes.
    """

    def __init__(self) -> None:
        self._drag: _Drag | None = None

    def go_on(
        self, of: tuple[Hashable, int], now: object, asked: object, before: Callable[[], Before]
    ) -> None:
        """Record a move from the mark ``now`` to the mark ``asked``.

        ``of`` is the moved item and the number of the press, 0 for an arrow key.
        """
        last = self._drag
        is_same = last is not None and last.of == of and (of[1] > 0 or last.end == now)
        if last is None or not is_same:
            last = _Drag(of, before(), now, asked)
        self._drag = last._replace(end=asked)

    def before(self, now: object, *, is_pending: bool = False) -> Before | None:
        """Return the state before the drag; None if it was undone or anything else has changed.

        ``is_pending`` means that the requested change is still being computed.
        """
        drag = self._drag
        if drag is None:
            return None
        if now == drag.end or (is_pending and now != drag.start):
            return None if drag.end == drag.start else drag.before
        if not is_pending:
            self._drag = None
        return None
