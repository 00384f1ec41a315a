"""The browser's page that code belongs to: who watches it, its document's turn, its end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .concurrency import IN_BROWSER

if TYPE_CHECKING:
    from bokeh.document import Document


class PageSession:
    """A page that was opened; without a document everything happens at once, and it never ends."""

    def __init__(self, document: Document | None) -> None:
        self._document = document

    @classmethod
    def current(cls) -> PageSession:
        """The page that is being made, or whose event is being handled."""
        import panel as pn

        return cls(pn.state.curdoc)

    @property
    def has_viewers(self) -> bool:
        """Whether a browser still shows it; a page that runs in the browser always has one."""
        session = getattr(getattr(self._document, "session_context", None), "session", None)
        return session is None or session.connection_count > 0

    def schedule(self, function: Callable[[], None]) -> None:
        """Change the page from outside an event: as soon as the document is free."""
        if IN_BROWSER or self._document is None:
            function()
        else:
            self._document.add_next_tick_callback(function)

    def on_close(self, function: Callable[[], None]) -> None:
        """Call a function when nobody can come back to the page."""
        if self._document is not None and self._document.session_context is not None:
            self._document.on_session_destroyed(lambda _context: function())
