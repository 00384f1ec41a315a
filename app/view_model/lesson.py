"""The judgment of the open step of a lesson."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from .moment import Area, Moment


class Judgment(NamedTuple):
    """The judgment of a step's items at one moment."""

    finished: tuple[int, ...]  # numbers of the tasks that the moment completes
    covered: tuple[Area, ...]  # the cells that an open question asks for
    to_read: tuple[Area, ...]  # the cells that contain the answer of an open question
    states: list[dict[str, Any]]  # the state of each item, for the browser
    live: list[str]  # the live numbers in the texts, in order


class Judge(Protocol):
    """Judges the items of the open step."""

    def judged_at(self, moment: Moment) -> Judgment:
        """Judge the items at a moment."""
