"""Shows the Train room, built on first use; training continues when the room is closed.

The page places the picture of the model and the word map above the room.
"""

from typing import Any

from ...components.layout import Column
from ...components.upload import Later
from ...learning import TrainingSession
from ...session.state import AppState
from ...transport.runtime.page_session import PageSession
from .own_data_view import TrainOnView
from .tab import LearnTab


class LearnView:
    """The containers of the Train room: ``line`` for the choice of data, ``curves`` and ``column``.

    ``column`` has the recipe, the experiments, the examples and the run files.
    """

    def __init__(
        self, state: AppState, session: TrainingSession, page: PageSession | None = None
    ) -> None:
        self.state = state
        self.session = session
        self._page = page
        self.line = Column(visible=False)
        self.curves = Column(visible=False)
        self.column = Column(visible=False)
        self._tab: LearnTab | None = None
        self._train_on: TrainOnView | None = None

    def show(self, is_open: bool) -> None:
        if is_open:
            self._fill()
        if self._tab is None or self._train_on is None or is_open == self.column.visible:
            return
        self.line.visible = self.curves.visible = self.column.visible = is_open
        self._train_on.show(is_open)
        self._tab.show(is_open)

    def _fill(self) -> tuple[LearnTab, TrainOnView]:
        """Return the components of the room; create them on the first call."""
        if self._tab is None or self._train_on is None:
            self._tab = LearnTab(self.state, self.session, self._page)
            self._train_on = TrainOnView(self.state, self.session, self._page)
            self.line.objects = [self._train_on.component]
            self.curves.objects = [self._tab.curves_view.curves]
            self.column.objects = self._tab.objects
        return self._tab, self._train_on

    def open_data(self, files: dict[str, bytes]) -> Later:
        """Open the room with the dialog for training on data from files."""
        _, train_on = self._fill()
        return self._in_room(train_on.opening(files))

    def open_run(self, files: dict[str, bytes]) -> Later:
        """Open the room with the training run in a file."""
        tab, _ = self._fill()
        return self._in_room(tab.opening(files))

    def _in_room(self, later: Later) -> Later:
        def take(made: Any) -> None:
            later.take(made)
            self.state.go("view", "train")

        return Later(later.make, take)
