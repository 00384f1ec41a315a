"""Debouncing: a function of a page runs once no new request came for a moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from .page_session import PageSession

REST_SECONDS = 0.2  # longer than between two moves of a drag, or two presses in quick succession


class AtRest:
    """Delays a function until `REST_SECONDS` after the last request for it.

    For work after an edit that would delay the response to the next one. Without an event loop, in
    a program or a test, the function is called at once.
    """

    def __init__(self, page: PageSession, function: Callable[[], None]) -> None:
        self._page = page
        self._function = function
        self._timer: asyncio.TimerHandle | None = None
        page.on_close(self.cancel)

    def ask(self) -> None:
        """Request a call; each request restarts the delay."""
        self.cancel()
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._function()
        else:
            self._timer = loop.call_later(REST_SECONDS, self._call)

    def cancel(self) -> None:
        """Discard the pending call, if there is one."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _call(self) -> None:
        self._timer = None
        self._page.schedule(self._function)
