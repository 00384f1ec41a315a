"""Ends an edit that no pointer holds, shortly after its last change."""

import asyncio

from ..session.state import AppState
from ..transport.runtime.page_session import PageSession
from ..view_model.last_edit import Rested


class EditEnd:
    """Ends edits after a delay; without an event loop, immediately."""

    def __init__(self, state: AppState, page: PageSession) -> None:
        self._state = state
        self._page = page
        self._timer: asyncio.TimerHandle | None = None
        state.watch(self._wait, "editing")
        page.on_close(self._cancel)

    def _wait(self, *_: object) -> None:
        state, edit = self._state, self._state.current.last_edit
        self._cancel()
        if edit is None or edit.ended is not None or edit.press:
            return
        try:
            later = asyncio.get_running_loop().call_later
        except RuntimeError:
            state.update(Rested(edit.rests_at))
        else:
            left = edit.rests_at - state.clock()
            self._timer = later(max(0.0, left), lambda: self._page.schedule(self._rest))

    def _rest(self) -> None:
        self._state.update(Rested(self._state.clock()))
        self._wait()

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
