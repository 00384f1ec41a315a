"""What a socket takes in: messages that a server expects, of a limited size in all their parts.

A message is a header, its metadata, its content, and any number of bytes beside it; a server limits
each of them alone. What a browser has no reason to send Bokeh reads to its end, and then fails.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from ..runtime.wrapping import Method, wrap_once
from .refusals import tell

EXPECTED = frozenset({"PULL-DOC-REQ", "PUSH-DOC", "PATCH-DOC", "SERVER-INFO-REQ"})
LONGEST_HEADER = 1000
LONGEST_ID = 100
LONGEST_REASON = 80


def take_what_is_expected(most: int) -> None:
    """Close a socket that sends something else, or more than so many bytes in one message.

    For a server; twice is harmless. The imports stand inside because in Pyodide there is no
    Tornado, yet this module is imported.
    """
    if sys.platform == "emscripten":
        return

    from bokeh.protocol.exceptions import ValidationError
    from bokeh.protocol.receiver import Receiver
    from bokeh.server.views.ws import WSHandler

    def expected(found: Method) -> Method:
        async def consume(self: Any, fragment: str | bytes) -> Any:
            if getattr(self, "is_over", False):
                return None  # what was on its way when the socket was closed
            try:
                self.received = _measured(self, fragment, most)
                return await found(self, fragment)
            except Exception as error:
                self.is_over = True
                raise ValidationError(ascii(str(error))[1:-1][:LONGEST_REASON]) from None

        return consume

    wrap_once(WSHandler, "on_message", _opened)
    wrap_once(WSHandler, "on_close", _closed)
    wrap_once(Receiver, "consume", expected)


def _opened(found: Method) -> Method:
    async def on_message(self: Any, fragment: str | bytes) -> None:
        if self.receiver is None:  # no page speaks before the server has
            tell("a message on a socket that is not open")
            self.close()
        elif self.connection is not None and self.connection._session is None:
            # A ping that could not be sent has let go of the session: the page has noticed, and
            # says on its next socket what it sent on this one.
            self.close()
        else:
            await found(self, fragment)

    return on_message


def _closed(found: Method) -> Method:
    def on_close(self: Any) -> None:
        # A ping that could not be sent has let go of the session before: Bokeh fails of that.
        if self.connection is None or self.connection._session is not None:
            found(self)

    return on_close


def _measured(receiver: Any, fragment: str | bytes, most: int) -> int:
    """How many bytes of a message have come with this part of it.

    Raises:
        ValueError: they are too many, or it begins as none that is expected.
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
    """What is wrong with a header; empty for one of a message that a server expects."""
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
