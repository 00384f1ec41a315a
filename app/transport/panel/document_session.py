"""The session of a page served by Panel, tied to a Bokeh document."""

from collections.abc import Callable

from bokeh.document import Document

from ..port.port_session import Do, PortSession


class DocumentSession(PortSession):
    """A session that counts as watched while a browser is connected to its document."""

    def __init__(self, document: Document, do: Do) -> None:
        """Create an open session; ``do`` runs a change of the document under its lock."""
        super().__init__(do)
        self._document = document

    @property
    def has_viewers(self) -> bool:
        session = getattr(self._document.session_context, "session", None)
        return super().has_viewers and (session is None or session.connection_count > 0)

    @property
    def person(self) -> str:
        """See `PageSession.person`; behind a proxy, the forwarded client address."""
        request = getattr(self._document.session_context, "request", None)
        return str(getattr(request, "remote_ip", None) or "")

    def schedule(self, function: Callable[[], None]) -> None:
        change = super().schedule

        async def turn() -> None:  # from 3.10 on, Bokeh calls plain functions in a thread
            change(function)

        self._document.add_next_tick_callback(turn)
