import asyncio
from types import SimpleNamespace

import pytest
from bokeh.core.serialization import Buffer
from bokeh.protocol import Protocol
from bokeh.server.views.ws import WSHandler
from tinkerformer.transport.hosting.websocket import _Frames, send_messages_at_once
from tornado.iostream import StreamClosedError
from tornado.locks import Lock


class Stream:
    """A connection to a browser that records what is written to it."""

    def __init__(self, *, is_closed: bool = False) -> None:
        self.written: list[bytes] = []
        self.is_closed = is_closed

    async def write(self, data: bytes) -> None:
        if self.is_closed:
            raise StreamClosedError
        self.written.append(data)


def handler(stream: Stream) -> SimpleNamespace:
    connection = SimpleNamespace(stream=stream, is_closing=lambda: False, _compressor=None)
    return SimpleNamespace(ws_connection=connection, write_lock=Lock())


def unframed(data: bytes) -> list[tuple[int, bytes]]:
    """Return opcode and content of each frame (RFC 6455, Section 5.2)."""
    found = []
    while data:
        first, length, at = data[0], data[1], 2
        assert first & 0xF0 == 0x80
        assert length < 0x80
        more = {126: 2, 127: 8}.get(length, 0)
        if more:
            length, at = int.from_bytes(data[2 : 2 + more], "big"), 2 + more
        found.append((first & 0xF, data[at : at + length]))
        data = data[at + length :]
    return found


def test_a_message_is_sent_by_one_write():
    send_messages_at_once()
    stream = Stream()
    message = Protocol().create("SERVER-INFO-REPLY", "7")
    message._buffers = [Buffer("b0", b"\x00\xff")]
    asyncio.run(WSHandler.send_message(handler(stream), message))
    assert len(stream.written) == 1
    frames = unframed(stream.written[0])
    texts = [message.header_json, message.metadata_json, message.content_json, '{"id": "b0"}']
    assert frames == [*((1, text.encode()) for text in texts), (2, b"\x00\xff")]


@pytest.mark.parametrize("length", [0, 125, 126, 65_535, 65_536, 100_000])
def test_frames_of_all_lengths_can_be_read(length):
    frames = _Frames()
    asyncio.run(frames.write_message(b"x" * length, binary=True))
    asyncio.run(frames.write_message("é" * length))
    assert unframed(b"".join(frames.parts)) == [(2, b"x" * length), (1, ("é" * length).encode())]


def test_a_closed_connection_raises_no_error():
    send_messages_at_once()
    message = Protocol().create("SERVER-INFO-REPLY", "7")
    asyncio.run(WSHandler.send_message(handler(Stream(is_closed=True)), message))
