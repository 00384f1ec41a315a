"""The Experiments view: made when it is opened first, computed only while it is open."""

from __future__ import annotations

from collections.abc import Callable

from ...components.layout import Column
from ...runtime.page_session import PageSession
from ...state import AppState
from .answer import AnswerSection
from .section import Section

# What makes each section, from top to bottom.
SECTIONS: tuple[Callable[[AppState, PageSession], Section], ...] = (
    lambda _state, _page: AnswerSection(),
)


class ExperimentsView:
    """A column of sections, each an experiment of its own."""

    def __init__(self, state: AppState, page: PageSession | None = None) -> None:
        self.state = state
        self.column = Column(visible=False)
        self._page = page or PageSession()
        self._sections: list[Section] = []

    def show(self, is_open: bool) -> None:
        """The view is opened, or another one."""
        if is_open and not self._sections:
            self._sections = [make(self.state, self._page) for make in SECTIONS]
            self.column.objects = [section.column for section in self._sections]
        if is_open != self.column.visible:
            self.column.visible = is_open
            for section in self._sections:
                section.show(is_open)
