"""What one event changes reaches the browser as one message, in the order in which it was changed.

Panel writes its changes at once, or a little later while the socket is busy; Bokeh writes those of
its own models (a chart's columns) when the event has been handled. On a busy machine a chart's new
numbers overtook the chart, and the browser knew no such model. Held together, they go one way, and
what belongs together arrives together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bokeh.document import Document
    from bokeh.document.events import DocumentChangedEvent
    from bokeh.server.session import ServerSession


@contextmanager
def turn(document: Document | None) -> Iterator[None]:
    """Hold what changes in here, and send it in its order; within another turn, with that one.

    Where nobody waits for the document (it is being made, or stands in a notebook) or it is not
    locked, there is nothing to hold.
    """
    session = getattr(getattr(document, "session_context", None), "session", None)
    is_locked = session is not None and session._pending_writes is not None
    if document is None or not is_locked or document.callbacks.hold_value:
        yield
        return
    document.hold("collect")
    try:
        yield
    finally:
        changes = document.callbacks._held_events
        document.callbacks._held_events = []
        document.unhold()
        _send(session, changes)


def _send(session: ServerSession, changes: Sequence[DocumentChangedEvent]) -> None:
    """Write changes when the event has been handled, as Bokeh does with its own."""
    from bokeh.document.events import DocumentPatchedEvent

    patches = [change for change in changes if isinstance(change, DocumentPatchedEvent)]
    for change in changes:
        if not isinstance(change, DocumentPatchedEvent):
            session.document.callbacks.trigger_on_change(change)
    if patches and session._pending_writes is not None:
        session._pending_writes += [
            connection._socket.send_message(connection.protocol.create("PATCH-DOC", patches))
            for connection in session._subscribed_connections
        ]
