"""The session of a page that Panel serves: who watches it, and its document's turn."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from bokeh.document import Document

from ..port.port_session import Do, PortSession


class DocumentSession(PortSession):
    """It has viewers while a browser is connected to its document."""

    def __init__(self, document: Document, do: Do) -> None:
        """A session that goes on.

        Args:
            document: of the page.
            do: changes the page from outside an event, in the document's turn.
        """
        super().__init__(do)
        self._document = document

    @property
    def has_viewers(self) -> bool:
        session = getattr(self._document.session_context, "session", None)
        return super().has_viewers and (session is None or session.connection_count > 0)

    @property
    def person(self) -> str:
        """See `PageSession.person`; behind a proxy only if that is trusted."""
        request = getattr(self._document.session_context, "request", None)
        return str(getattr(request, "remote_ip", None) or "")

    def schedule(self, function: Callable[[], None]) -> None:
        self._document.add_next_tick_callback(partial(super().schedule, function))
