"""The Train room, created on first use; training continues when it is closed.

Above it stand the picture of the model and the map of its words, which the page places there.
"""

from __future__ import annotations

from ...components.layout import Column
from ...learning import TrainingSession
from ...runtime.page_session import PageSession
from ...session.state import AppState
from .tab import LearnTab


class LearnView:
    """The containers of the Train room on the page.

    Attributes:
        curves: holds the curves, under the picture.
        column: holds what is learned, how, and examples.
    """

    def __init__(
        self, state: AppState, session: TrainingSession, page: PageSession | None = None
    ) -> None:
        self.state = state
        self.session = session
        self._page = page
        self.curves = Column(visible=False)
        self.column = Column(visible=False)
        self._tab: LearnTab | None = None

    def show(self, is_open: bool) -> None:
        """Open or close the view."""
        if is_open and self._tab is None:
            self._tab = LearnTab(self.state, self.session, self._page)
            self.curves.objects = [self._tab.curves_view.curves]
            self.column.objects = self._tab.objects
        if self._tab is not None and is_open != self.column.visible:
            self.curves.visible = self.column.visible = is_open
            self._tab.show(is_open)
