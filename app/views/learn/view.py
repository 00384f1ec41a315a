"""The Train room, created on first use; training continues when it is closed."""

from __future__ import annotations

from ...components.layout import Column
from ...learning import TrainingSession
from ...runtime.page_session import PageSession
from ...session.state import AppState
from .tab import LearnTab


class LearnView:
    """The container of the Train room on the page, above the board."""

    def __init__(
        self, state: AppState, session: TrainingSession, page: PageSession | None = None
    ) -> None:
        self.state = state
        self.session = session
        self._page = page
        self.column = Column(visible=False)
        self._tab: LearnTab | None = None
        self._dark = False

    def show(self, is_open: bool) -> None:
        """Open or close the view."""
        if is_open and self._tab is None:
            self._tab = LearnTab(self.state, self.session, self._dark, self._page)
            self.column.objects = self._tab.objects
        if self._tab is not None and is_open != self.column.visible:
            self.column.visible = is_open
            self._tab.show(is_open)

    def set_dark(self, dark: bool) -> None:
        """Set the light or dark theme; the server renders the colors of charts."""
        self._dark = dark
        if self._tab is not None:
            self._tab.set_dark(dark)
