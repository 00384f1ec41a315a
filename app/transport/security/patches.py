"""Rejects all changes that a browser makes to a served document, except messages to a port.

Bokeh applies any change of any model that arrives on the socket, so an attacker could insert
scripts, style sheets and other models into the page, or send a small message that decompresses to a
large one. Each message is therefore filtered before the session handles it.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from ..runtime.wrapping import Method, wrap_once
from .plain import is_plain
from .refusals import short, tell

if TYPE_CHECKING:
    from bokeh.document import Document

MOST_EVENTS = 200  # events in one message
BYTES_OF = "data_event"  # the only event that carries a page's own data
READY = "document_ready"

_guarded: WeakSet[Document] = WeakSet()


def guard(document: Document) -> None:
    """From now on accept from a document's browsers only messages to its ports."""
    _guarded.add(document)
    reject_changes()


def reject_changes() -> None:
    """Reject changes of guarded documents, in this process; repeated calls have no effect."""
    if sys.platform == "emscripten":
        return

    from bokeh.server.session import ServerSession

    wrap_once(ServerSession, "_handle_patch", _declared)
    wrap_once(ServerSession, "_handle_push", _no_whole)


def _declared(original: Method) -> Method:
    """Apply the allowed changes; Bokeh's acknowledgment is left out, as no browser waits for it."""

    async def _handle_patch(self: Any, message: Any, connection: Any) -> Any:
        if self.document not in _guarded:
            return await original(self, message, connection)
        events = admitted(self.document, message)
        if events:
            message.content["events"] = events
            await self.with_document_locked(_apply, message, self)
        return None

    return _handle_patch


async def _apply(message: Any, session: Any) -> None:
    """Apply a patch on the event loop, where the tasks of a page run.

    From 3.10 on, Bokeh calls functions that are no coroutines in a thread.
    """
    message.apply_to_document(session.document, session)


def _no_whole(original: Method) -> Method:
    async def _handle_push(self: Any, message: Any, connection: Any) -> Any:
        if self.document in _guarded:
            tell("another document in the place of the page's")
            return connection.ok(message)
        return await original(self, message, connection)

    return _handle_push


def admitted(document: Document, message: Any) -> list[Any]:
    """Return the allowed changes of a document in a patch message, as Bokeh receives it."""
    content, names = message.content, [buffer.id for buffer in message.buffers]
    is_patch = isinstance(content, dict) and content.keys() == {"events"}
    events = content["events"] if is_patch else None
    are_names = all(isinstance(name, str) for name in names)
    if not isinstance(events, list) or len(events) > MOST_EVENTS or not are_names:
        tell("a change of the page that is none")
        return []
    buffers = frozenset(names)
    return [each for each in events if _is_declared(document, each, buffers)]


def _is_declared(document: Document, event: Any, buffers: frozenset[str]) -> bool:
    problem = _problem(document, event, buffers)
    if problem:
        tell(problem)
    return problem == ""


def _problem(document: Document, event: Any, buffers: frozenset[str]) -> str:
    """Return why a change is rejected; empty for messages to a port and the ready event."""
    kind = event.get("kind") if isinstance(event, dict) else None
    if kind != "MessageSent":
        return f"a change of the kind {short(kind)}"
    said = event.get("msg_data")
    if event.keys() != {"kind", "msg_type", "msg_data"} or event["msg_type"] != "bokeh_event":
        return f"a message of the type {short(event.get('msg_type'))}"
    if not isinstance(said, dict) or said.keys() != {"type", "name", "values"}:
        return "an event that is none"
    values = said["values"]
    pairs = values.get("entries", []) if isinstance(values, dict) else None
    if said["type"] != "event" or pairs is None or values.get("type") != "map":
        return "an event that is none"
    if said["name"] == READY:
        return "" if pairs == [] else "an event that is none"
    if said["name"] != BYTES_OF:
        return f"an event of the name {short(said['name'])}"
    match pairs:
        case [["model", {"id": str(name), **others}], ["data", data]] if not others:
            if document.models.get_by_id(name) is None:
                return "a message to nobody"
            return "" if is_plain(data, buffers) else "a message that is not plain"
    return "an event that is none"
