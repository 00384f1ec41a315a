"""Validates incoming websocket messages: only expected types, and a limited total size.

A message is a header, metadata, content and any number of binary buffers; Tornado limits the size
of each part but not their sum. Bokeh would read an unexpected message to its end and then fail.
The page sends the first three parts as lines of one text (see ``shell/served/conversation.js``).
"""

import json
from typing import Any

from bokeh.protocol.exceptions import ValidationError
from bokeh.protocol.receiver import Receiver
from bokeh.server.views.ws import WSHandler

from ..runtime.wrapping import Method, wrap_once
from .refusals import tell

EXPECTED = frozenset({"PULL-DOC-REQ", "PUSH-DOC", "PATCH-DOC", "SERVER-INFO-REQ"})
LINES = 3  # header, metadata and content
LONGEST_HEADER = 1000
LONGEST_ID = 100
LONGEST_REASON = 80


def take_what_is_expected(most: int) -> None:
    """Close a socket that sends an unexpected message or too much; repeats have no effect."""

    def expected(original: Method) -> Method:
        async def consume(self: Any, fragment: str | bytes) -> Any:
            if getattr(self, "is_over", False):
                return None  # data still in transit when the socket was closed
            try:
                self.received = _measured(self, fragment, most)
                return await original(self, fragment)
            except Exception as error:
                self.is_over = True
                raise ValidationError(ascii(str(error))[1:-1][:LONGEST_REASON]) from None

        return consume

    wrap_once(WSHandler, "on_message", _opened)
    wrap_once(WSHandler, "on_close", _closed)
    wrap_once(Receiver, "consume", expected)


def _opened(original: Method) -> Method:
    async def on_message(self: Any, fragment: str | bytes) -> None:
        if self.receiver is None:  # the server sends the first message
            tell("a message on a socket that is not open")
            self.close()
        elif self.connection is not None and self.connection._session is None:
            # A failed ping has detached the session. The page detects the closed socket, and sends
            # its messages again on the next socket.
            self.close()
        else:
            for line in _lines(fragment):
                await original(self, line)

    return on_message


def _lines(fragment: str | bytes) -> list[str] | list[bytes]:
    return fragment.split("\n", LINES - 1) if isinstance(fragment, str) else [fragment]


def _closed(original: Method) -> Method:
    def on_close(self: Any) -> None:
        # Bokeh fails if a ping could not be sent, because the session is detached by then.
        if self.connection is None or self.connection._session is not None:
            original(self)

    return on_close


def _measured(receiver: Any, fragment: str | bytes, most: int) -> int:
    """Add a fragment to the size of its message, and return the size so far in bytes.

    Raise ``ValueError`` if the message is too large, or not of an expected type.
    """
    before = getattr(receiver, "received", 0)
    if receiver._current_consumer == receiver._HEADER:
        problem = _problem(fragment)
        if problem:
            raise ValueError(problem)
        before = 0
    received = before + len(fragment.encode() if isinstance(fragment, str) else fragment)
    if received > most:
        raise ValueError("a message is too large")
    return received


def _problem(fragment: str | bytes) -> str:
    """Return why a message header is rejected; empty if the message is expected."""
    if not isinstance(fragment, str):
        return "a message that begins with bytes"
    if len(fragment) > LONGEST_HEADER:
        return "a header is too long"
    try:
        header = json.loads(fragment)
    except (ValueError, RecursionError):
        return "a header cannot be read"
    if not isinstance(header, dict) or not _is_id(header.get("msgid")):
        return "a header without an id"
    kind = header.get("msgtype")
    if not isinstance(kind, str) or kind not in EXPECTED:
        return "a message of a kind that no server expects"
    count = header.get("num_buffers", 0)
    return "" if type(count) is int and count >= 0 else "a header that counts no bytes"


def _is_id(raw: object) -> bool:
    return isinstance(raw, str) and 0 < len(raw) <= LONGEST_ID
