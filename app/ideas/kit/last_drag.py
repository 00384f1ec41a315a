"""The last drag in a picture: what it showed before, as long as nothing else has changed since."""

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

from ...model.scenario.scenario import Scenario


class Before(NamedTuple):
    """What there was when a drag began.

    Attributes:
        scenario: the scenario.
        seen: what the picture showed, as its subclass has it.
    """

    scenario: Scenario
    seen: Any


class _Drag(NamedTuple):
    of: Hashable
    before: Before
    start: object  # the mark of before the drag
    end: object  # the mark of what was asked for last


class LastDrag:
    """Remembers the beginning of a drag, or of a run of arrow keys.

    A mark is all that a drag in the picture, or another choice of what it shows, changes.
    """

    def __init__(self) -> None:
        self._drag: _Drag | None = None

    def go_on(
        self, of: tuple[Hashable, int], now: object, asked: object, before: Callable[[], Before]
    ) -> None:
        """Note a move.

        Args:
            of: what is moved, and the number of the press; 0 for a key.
            now: the mark before this move.
            asked: the mark after it.
            before: what is shown before this move.
        """
        last = self._drag
        is_same = last is not None and last.of == of and (of[1] > 0 or last.end == now)
        if last is None or not is_same:
            last = _Drag(of, before(), now, asked)
        self._drag = last._replace(end=asked)

    def before(self, now: object, *, is_pending: bool = False) -> Before | None:
        """What there was before the drag; None if it was undone or something else has changed.

        Args:
            now: the present mark.
            is_pending: whether what was asked for is still being computed.
        """
        drag = self._drag
        if drag is None:
            return None
        if now == drag.end or (is_pending and now != drag.start):
            return None if drag.end == drag.start else drag.before
        if not is_pending:
            self._drag = None
        return None
