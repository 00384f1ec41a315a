"""Shows Measure in the drawer, built on first use and computed only while it is open."""

from collections.abc import Callable
from typing import NamedTuple

from ...components.layout import Column
from ...session.results import Results
from ...session.state import AppState
from ...transport.runtime.page_session import PageSession
from .answer import AnswerSection, Pull, Wish
from .heads import HeadsSection
from .lens import LensSection
from .patch import PatchSection
from .positions import PositionsSection
from .section import Section
from .words import WordsSection


def _nothing(*_: object) -> None:
    pass


class Asks(NamedTuple):
    """Functions of other views: pull a word, list numbers that write it, compute a map or lens."""

    pull: Pull = _nothing
    wish: Wish = _nothing
    map: Callable[[], None] = _nothing
    lens: Callable[[], None] = _nothing


def _sections(state: AppState, results: Results, page: PageSession, asks: Asks) -> list[Section]:
    """Return the sections in display order, those with the most common questions first."""
    return [
        WordsSection(state, page),
        PositionsSection(state, page),
        HeadsSection(state, page),
        AnswerSection(state, asks.pull, asks.wish),
        PatchSection(state, results, asks.map),
        LensSection(state, results, asks.lens),
    ]


class ExperimentsView:
    """A column of sections, one experiment each."""

    def __init__(
        self,
        state: AppState,
        results: Results,
        page: PageSession | None = None,
        asks: Asks | None = None,
    ) -> None:
        self.state = state
        self._results = results
        self.column = Column(visible=False)
        self._page = page or PageSession()
        self._asks = asks or Asks()
        self._sections: list[Section] = []

    def show(self, is_open: bool) -> None:
        if is_open and not self._sections:
            self._sections = _sections(self.state, self._results, self._page, self._asks)
            self.column.objects = [section.column for section in self._sections]
        if is_open != self.column.visible:
            self.column.visible = is_open
            for section in self._sections:
                section.show(is_open)
