"""What a browser may change of a document that is served: what is declared, and nothing else.

Bokeh takes every change of every property of every model: whoever writes to the socket could put
script, style sheets and other models into the page, or have a few bytes inflated to many. Hence the
wrapper round the moment a session is handed a message, before anything in it is read.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from ..refusals import short, tell
from .plain import is_plain
from .wrapping import Method, wrap_once

if TYPE_CHECKING:
    from bokeh.document import Document
    from bokeh.model import Model

MOST_EVENTS = 200  # in one message
LARGEST = 1 << 16  # of a side of a chart, in pixels
# What a chart says of itself when it is laid out.
SIDES = frozenset({"inner_width", "inner_height", "outer_width", "outer_height"})
# What its axes say of themselves when they follow the data.
ENDS = frozenset({"start", "end"})
FARTHEST = 1e300  # of an end, from 0
BYTES_OF = "data_event"  # the one event that carries a message of a component
READY = "document_ready"

_guarded: WeakSet[Document] = WeakSet()
_settable: dict[type[Model], frozenset[str]] = {}


def let_set(model: type[Model], names: Iterable[str]) -> None:
    """Let browsers set these properties, in every document."""
    _settable[model] = frozenset(names)


def guard(document: Document) -> None:
    """From now on take nothing of a document's browsers but what is declared."""
    if sys.platform == "emscripten":
        return

    from bokeh.server.session import ServerSession

    _guarded.add(document)
    wrap_once(ServerSession, "_handle_patch", _declared)
    wrap_once(ServerSession, "_handle_push", _no_whole)


def _declared(found: Method) -> Method:
    async def _handle_patch(self: Any, message: Any, connection: Any) -> Any:
        if self.document in _guarded:
            events = admitted(self.document, message)
            if not events:
                return connection.ok(message)
            message.content["events"] = events
        return await found(self, message, connection)

    return _handle_patch


def _no_whole(found: Method) -> Method:
    async def _handle_push(self: Any, message: Any, connection: Any) -> Any:
        if self.document in _guarded:
            tell("another document in the place of the page's")
            return connection.ok(message)
        return await found(self, message, connection)

    return _handle_push


def admitted(document: Document, message: Any) -> list[Any]:
    """Of a message that changes a document, the changes that are declared.

    Args:
        document: that is changed.
        message: as Bokeh has it from the socket, with ``content`` and ``buffers``.
    """
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
    kind = event.get("kind") if isinstance(event, dict) else None
    check = _CHECKS.get(kind) if isinstance(kind, str) else None
    if check is None:
        tell(f"a change of the kind {short(kind)}")
        return False
    problem = check(document, event, buffers)
    if problem:
        tell(problem)
    return problem == ""


def _of_property(document: Document, event: Any, buffers: frozenset[str]) -> str | None:
    """What is wrong with the setting of a property: nothing "", only that its model has gone None.

    Charts come and go; what the browser says of one that has gone is late, not wrong.
    """
    name, value = event.get("attr"), event.get("new")
    if event.keys() != {"kind", "model", "attr", "new"} or not isinstance(name, str):
        return "a property's change that is none"
    model = _model(document, event["model"])
    if model is None:
        return None if _has_gone(document, event["model"]) else "a property of no model"
    if name in _settable.get(type(model), ()):
        return "" if is_plain(value, buffers) else f"a value of {_name(model)}.{short(name)}"
    if name in SIDES and _is_plot(model):
        is_side = value is None or (type(value) is int and 0 <= value <= LARGEST)
        return "" if is_side else f"a value of {_name(model)}.{short(name)}"
    if name in ENDS and _is_range(model):
        return "" if _is_end(value) else f"a value of {_name(model)}.{short(name)}"
    return f"the setting of {_name(model)}.{short(name)}"


def _of_message(document: Document, event: Any, buffers: frozenset[str]) -> str | None:
    """The same of a message: that the page is there, or one to a component."""
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
        case [["model", ref], ["data", data]]:
            model = _model(document, ref)
            if model is None:
                return None if _has_gone(document, ref) else "a message to no component"
            return "" if is_plain(data, buffers) else f"a message to {_name(model)}"
    return "an event that is none"


_CHECKS: dict[str, Callable[[Any, Any, frozenset[str]], str | None]] = {
    "ModelChanged": _of_property,
    "MessageSent": _of_message,
}


def _id(ref: Any) -> str:
    """The id in what names a model; empty if nothing is named."""
    is_ref = isinstance(ref, dict) and ref.keys() == {"id"} and isinstance(ref["id"], str)
    return ref["id"] if is_ref else ""


def _model(document: Document, ref: Any) -> Model | None:
    return document.models.get_by_id(_id(ref))


def _has_gone(document: Document, ref: Any) -> bool:
    return bool(document.models.seen(_id(ref)))


def _name(model: Model) -> str:
    return type(model).__name__


def _is_range(model: Model) -> bool:
    from bokeh.models import DataRange1d, Range1d

    return isinstance(model, DataRange1d | Range1d)


def _is_end(value: Any) -> bool:
    """Whether it is a number: of anything else Bokeh logs all that it was."""
    if type(value) in (int, float):
        return bool(abs(value) <= FARTHEST)
    return isinstance(value, dict) and value.get("type") == "number" and is_plain(value)


def _is_plot(model: Model) -> bool:
    from bokeh.models import Plot

    return isinstance(model, Plot)
