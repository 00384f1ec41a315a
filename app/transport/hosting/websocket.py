"""Sends messages on websockets immediately, each in one piece.

Bokeh does not switch Nagle's algorithm off. With it, the kernel holds back the second small packet
of a message until the browser has acknowledged the first, for up to 40 ms. Without it, animation
with acknowledged frames rose from 17-20 to 56-60 frames per second.

Bokeh also writes every fragment of a message to the socket separately. The answer to an edit has 19
fragments, whose system calls took a sixth of the edit's processor time.

Bokeh has no setting for either, so methods of the socket's handler are wrapped.
"""

import struct
from contextlib import nullcontext, suppress
from typing import Any

from bokeh.server.views.ws import WSHandler
from tornado.iostream import StreamClosedError

from ..runtime.wrapping import Method, wrap_once

_LAST, _TEXT, _BINARY = 0x80, 0x1, 0x2  # bits of a frame's first byte (RFC 6455, Section 5.2)
_SHORT, _MEDIUM = 126, 1 << 16  # lengths from which a frame's header is longer


def send_messages_at_once() -> None:
    """Send every message on a websocket immediately and in one piece; repeats have no effect."""

    def at_once(opened: Method) -> Method:
        def open(self: Any, *args: Any, **kwargs: Any) -> Any:
            # None if the peer has already disconnected
            if self.ws_connection is not None:
                self.set_nodelay(True)
            return opened(self, *args, **kwargs)

        return open

    def in_one_piece(send: Method) -> Method:
        async def send_message(self: Any, message: Any) -> None:
            connection = self.ws_connection
            if connection is None or connection.is_closing() or connection._compressor:
                await send(self, message)
                return
            frames = _Frames()
            await message.send(frames)
            # Once the stream is closed, the handler's on_close is called as well.
            with await self.write_lock.acquire(), suppress(StreamClosedError):
                await connection.stream.write(b"".join(frames.parts))

        return send_message

    wrap_once(WSHandler, "open", at_once)
    wrap_once(WSHandler, "send_message", in_one_piece)


class _Frames:
    """Collects the fragments of a message as websocket frames; has the interface of a socket."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.write_lock = self

    async def acquire(self) -> nullcontext[None]:
        """Return a lock that does nothing: there is only one writer."""
        return nullcontext()

    async def write_message(
        self,
        message: str | bytes,
        binary: bool = False,
        locked: bool = True,  # noqa: ARG002 -- part of the socket interface
    ) -> None:
        """Add a fragment."""
        data = message.encode() if isinstance(message, str) else bytes(message)
        self.parts += (_header(len(data), _BINARY if binary else _TEXT), data)


def _header(length: int, kind: int) -> bytes:
    """Return the header of an unmasked, unfragmented frame, as a server sends it."""
    if length < _SHORT:
        return struct.pack("!BB", _LAST | kind, length)
    if length < _MEDIUM:
        return struct.pack("!BBH", _LAST | kind, 126, length)
    return struct.pack("!BBQ", _LAST | kind, 127, length)
