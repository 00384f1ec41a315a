"""A session that is to be opened: the passes of a large one are computed beside the page."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from .restoring import Prepared, large, prepare
from .runtime.latest import Latest
from .runtime.page_session import PageSession
from .state import AppState


class Preparing:
    """Until it can be opened at once, all others go on; of several the last one is opened."""

    def __init__(self, state: AppState, page: PageSession) -> None:
        """Nothing yet.

        Args:
            state: that is to be another.
            page: of which it is the state.
        """
        self._state = state
        self._beside = Latest(page)

    def prepare(self, written: str | None, go_on: Callable[[], None]) -> None:
        """Go on when a session can be opened, at once if it is small.

        Args:
            written: the session as JSON; what is none is not looked at here.
            go_on: opens it.
        """
        found = None if written is None else large(written)
        if found is None:
            self._beside.forget()
            go_on()
            return

        def show(prepared: Prepared) -> None:
            with self._state.adopting(*prepared):
                go_on()

        self._beside.make(partial(prepare, found), show, lambda _: go_on(), is_large=True)
