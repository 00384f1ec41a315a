"""What the page states of the open step of a lesson."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from .moment import Area, Moment


class Judgment(NamedTuple):
    """How the items of a step stand.

    Attributes:
        finished: the tasks that are done by the numbers of the moment, by item.
        covered: the cells that an open question asks for.
        to_read: the cells in which its answer is to be found.
        states: how each item stands, for the browser.
        live: the live numbers in the texts, in order.
    """

    finished: tuple[int, ...]
    covered: tuple[Area, ...]
    to_read: tuple[Area, ...]
    states: list[dict[str, Any]]
    live: list[str]


class Judge(Protocol):
    """The open step, which knows what its items ask for."""

    def judged_at(self, moment: Moment) -> Judgment:
        """How its items stand at a moment."""
