"""The browser's page that code belongs to: who watches it, its document's turn, its end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from .concurrency import IN_BROWSER
from .turn import turn

if TYPE_CHECKING:
    from bokeh.document import Document


GONE_SECONDS = 20.0


class PageSession:
    """A page that was opened; without a document everything happens at once, and it never ends."""

    def __init__(self, document: Document | None = None) -> None:
        self._document = document

    @property
    def has_viewers(self) -> bool:
        """Whether a browser still shows it; a page that runs in the browser always has one."""
        session = getattr(getattr(self._document, "session_context", None), "session", None)
        return session is None or session.connection_count > 0

    @property
    def person(self) -> str:
        """Where its reader comes from, by the address; behind a proxy only if that is trusted."""
        request = getattr(getattr(self._document, "session_context", None), "request", None)
        return str(getattr(request, "remote_ip", None) or "")

    def schedule(self, function: Callable[[], None]) -> None:
        """Change the page from outside an event: as soon as the document is free."""
        if IN_BROWSER or self._document is None:
            function()
        else:
            self._document.add_next_tick_callback(partial(self._in_turn, function))

    def _in_turn(self, function: Callable[[], None]) -> None:
        with turn(self._document):
            function()

    async def turn(self, function: Callable[[], None]) -> None:
        """Change the page from outside an event, and come back when that is done.

        Where the page is gone meanwhile nobody waits for it longer than a moment.
        """
        done = asyncio.get_running_loop().create_future()

        def call() -> None:
            try:
                function()
            finally:
                if not done.done():
                    done.set_result(None)

        self.schedule(call)
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(done, GONE_SECONDS)

    def on_close(self, function: Callable[[], None]) -> None:
        """Call a function when nobody can come back to the page."""
        if self._document is not None and self._document.session_context is not None:
            self._document.on_session_destroyed(lambda _context: function())
