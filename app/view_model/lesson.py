"""The judgment of the open step of a lesson."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from .moment import Area, Moment


class Judgment(NamedTuple):
    """The judgment of a step's items at one moment.

    Attributes:
        finished: the numbers of the tasks that the moment completes.
        covered: the cells that an open question asks for.
        to_read: the cells that contain the answer of an open question.
        states: the state of each item, for the browser.
        live: the live numbers in the texts, in order.
    """

    finished: tuple[int, ...]
    covered: tuple[Area, ...]
    to_read: tuple[Area, ...]
    states: list[dict[str, Any]]
    live: list[str]


class Judge(Protocol):
    """Judges the items of the open step."""

    def judged_at(self, moment: Moment) -> Judgment:
        """Judge the items at a moment."""
