import asyncio
import json
import os
import random
import struct
from contextlib import suppress
from types import SimpleNamespace

import pytest
from tornado.websocket import WebSocketClosedError

from tests.app.served import Socket, serving, token

MESSAGES = 300  # by each visitor
AT_ONCE = 20  # on one socket
VISITORS = 4
MOST_LOGGED = 20_000  # characters

# Writes a line for each file that the server opens to write, creates, moves or removes.
WATCH = """
import os, sys
log = os.open({path!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
def hook(event, args):
    writes = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
    if event == "open" and isinstance(args[2], int) and args[2] & writes or event in (
        "os.mkdir", "os.rename", "os.remove", "os.symlink", "os.link", "os.truncate"
    ):
        os.write(log, ascii((event, args)).encode() + b"\\n")
sys.addaudithook(hook)
open(os.devnull, "w").close()
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("server")
    log, written = folder / "server.log", folder / "written"
    (folder / "sitecustomize.py").write_text(WATCH.format(path=str(written)))
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    with serving(log=log, PYTHONPATH=path, PYTHONDONTWRITEBYTECODE=1) as port:
        yield SimpleNamespace(port=port, log=log, written=written)
    text = log.read_text()
    assert "Traceback" not in text
    assert len(text) < MOST_LOGGED


async def is_answered(socket: Socket) -> bool:
    header, _ = await socket.answer_to(await socket.say("SERVER-INFO-REQ", {}))
    return header["msgtype"] == "SERVER-INFO-REPLY"


def frame(
    opcode: int, data: bytes, *, fin: bool = True, masked: bool = True, rsv: int = 0
) -> bytes:
    """Return a websocket frame, valid or with the given faults."""
    mask = 0x80 if masked else 0
    size = len(data)
    length = bytes([mask | size]) if size < 126 else struct.pack("!BQ", mask | 127, size)
    return bytes([fin << 7 | rsv << 4 | opcode]) + length + (bytes(4) if masked else b"") + data


TEXT, BYTES, CLOSE, PING, PONG, MORE = 1, 2, 8, 9, 10, 0
HEADER = b'{"msgid": "1", "msgtype": "PATCH-DOC"}'
ODD = {
    "no frame": b"GET / HTTP/1.1\r\n\r\n" * 10,
    "noise": random.Random(1).randbytes(5000),
    "unmasked": frame(TEXT, HEADER, masked=False),
    "reserved": frame(TEXT, HEADER, rsv=7),
    "compressed that is not": frame(TEXT, HEADER, rsv=4),
    "no such opcode": b"".join(frame(k, b"x") for k in (3, 4, 5, 6, 7, 11, 15)),
    "no text": frame(TEXT, b"\xff\xfe\xc0"),
    "begun twice": frame(TEXT, b"{", fin=False) + frame(TEXT, b"}"),
    "goes on with nothing": frame(MORE, b"}"),
    "never ends": frame(TEXT, b"{", fin=False) + frame(MORE, b" ", fin=False) * 3000,
    "a ping in parts": frame(PING, b"a", fin=False),
    "a long ping": frame(PING, b"a" * 5000),
    "many pings": frame(PING, b"a") * 3000,
    "pongs that nobody asked for": frame(PONG, b"\xff") * 3000,
    "a close that is none": frame(CLOSE, b"\x03"),
    "a close with noise": frame(CLOSE, b"\x03\xe8\xff\xfe"),
    "after a close": frame(CLOSE, b"\x03\xe8") + frame(TEXT, HEADER) * 100,
    "a size that never comes": struct.pack("!BBQ", 0x81, 0xFF, 1 << 62),
    "nothing, often": frame(TEXT, b"") * 3000,
    "bytes, often": frame(BYTES, b"x" * 100) * 1000,
}


async def say_raw(port: int, said: bytes) -> None:
    """Send bytes on a page's socket, and read its answers for a moment."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    lines = [
        *("GET /main/ws HTTP/1.1", f"Host: 127.0.0.1:{port}", "Connection: Upgrade"),
        *("Upgrade: websocket", "Sec-WebSocket-Version: 13"),
        *("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", f"Origin: http://127.0.0.1:{port}"),
        f"Sec-WebSocket-Protocol: bokeh, {await asyncio.to_thread(token, port)}",
    ]
    writer.write("\r\n".join([*lines, "", ""]).encode())
    assert b" 101 " in await reader.readline()
    try:
        with suppress(TimeoutError, ConnectionError):  # the server waits, or has closed it
            writer.write(said)
            await writer.drain()
            await asyncio.wait_for(reader.read(), 0.5)
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


@pytest.mark.parametrize("name", ODD)
async def test_random_frames_do_not_disturb_other_sockets(server, name):
    async with Socket.opened(server.port) as neighbor:
        await say_raw(server.port, ODD[name])
        assert await is_answered(neighbor)


def drawn(chance: random.Random, depth: int = 0) -> object:
    """Draw a random JSON value."""
    leaves = [
        *(
            None,
            True,
            0,
            -1,
            1e308,
            2**80,
            0.5,
            "",
            "x",
            "set",
            "message",
            "\u202e\nForged: a line",
        ),
        *("x" * 3000, "encoder.0.self_attn.W_q", {"$bytes": 0}, {"$bytes": "x"}, {"$object": 1}),
        *({"type": "map"}, {"type": "bytes", "data": {"id": "b0"}}, {"type": "ndarray"}),
    ]
    if depth > 3 or chance.random() < 0.4:
        return chance.choice(leaves)
    parts = [drawn(chance, depth + 1) for _ in range(chance.randrange(4))]
    if chance.random() < 0.5:
        return parts
    names = (
        "type",
        "kind",
        "events",
        "model",
        "values",
        "entries",
        "id",
        "path",
        "i",
        "j",
        "value",
    )
    return dict(zip(chance.sample(names, len(parts)), parts, strict=True))


def said(chance: random.Random, port: str) -> object:
    """Draw the content of a message: any content, or one for the page's port."""
    if chance.random() < 0.4:
        return {"events": drawn(chance)} if chance.random() < 0.5 else drawn(chance)
    text = [chance.choice(["set", "message", "x"]), chance.randrange(60), drawn(chance)]
    data = [["text", json.dumps(text)], ["buffers", []]]
    values = [["model", {"id": port}], ["data", {"type": "map", "entries": data}]]
    event = {"type": "event", "name": "data_event"}
    event["values"] = {"type": "map", "entries": values}  # type: ignore[assignment]
    return {"events": [{"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": event}]}


async def say_at_random(port: int, seed: int) -> int:
    """Send random messages on one socket after another; return how many were closed."""
    chance, closed = random.Random(seed), 0
    kinds = [*["PATCH-DOC"] * 20, "PUSH-DOC", "PULL-DOC-REQ", "ERROR", "x"]
    for _ in range(MESSAGES // AT_ONCE):
        async with Socket.opened(port) as socket:
            _, found = await socket.answer_to(await socket.say("PULL-DOC-REQ", {}))
            [root] = found["doc"]["roots"]
            try:
                for _ in range(AT_ONCE):
                    await socket.say(chance.choice(kinds), said(chance, root["id"]))
                await is_answered(socket)
            except (ConnectionError, WebSocketClosedError):
                closed += 1
    return closed


def test_random_messages_do_not_disturb_other_sockets(server):
    async def visits():
        async with Socket.opened(server.port) as neighbor:
            hostile = asyncio.gather(*[say_at_random(server.port, k) for k in range(VISITORS)])
            answered = 0
            while not hostile.done():
                answered += await is_answered(neighbor)
                await asyncio.sleep(0.01)
            assert sum(await hostile) > VISITORS  # the server closed some of the sockets
            return answered

    assert asyncio.run(visits()) > VISITORS
    assert "\nForged" not in server.log.read_text()


def test_no_action_of_a_visitor_is_written_to_disk(server):
    """This covers the earlier tests of this file, and normal use of a page."""
    asyncio.run(say_at_random(server.port, VISITORS))
    written = server.written.read_text().splitlines()
    assert os.devnull in written[0]  # this line shows that writing is noticed
    assert written[1:] == []
