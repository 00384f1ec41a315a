"""A server in a process of its own, started like the command does, and a page's socket."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from tornado.httpclient import HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from tests.units import free_ports

ROOT = Path(__file__).parents[2]

COMMAND = ("tinkerformer", "--no-show")
OF_PANEL = ("panel", "serve", str(ROOT / "app" / "main.py"))  # as in the README, without --warm


@contextmanager
def serving(
    *options: str, command: Sequence[str] = COMMAND, log: Path | None = None, **environment: object
) -> Iterator[int]:
    """Run a server and yield its port; it logs into ``log``, if a file is given.

    The test sends the server's first request.
    """
    [port] = free_ports(1)
    run = [sys.executable, "-m", *command, "--port", str(port), *options]
    env = {**os.environ, **{name: str(value) for name, value in environment.items()}}
    with open(log or os.devnull, "w", encoding="utf-8") as said:
        server = subprocess.Popen(run, env=env, stdout=said, stderr=said)
    try:
        for _ in range(600):
            with socket.socket() as door:
                if door.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert server.poll() is None, "The server has ended before it served anything."
            time.sleep(0.1)
        yield port
    finally:
        server.terminate()
        server.wait(30)


def answer(
    port: int, path: str, headers: Mapping[str, str] | None = None
) -> tuple[int, str, http.client.HTTPMessage]:
    """Return the status, text and headers of the server's answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", path, headers=headers or {})
        response = connection.getresponse()
        return response.status, response.read().decode(), response.headers
    finally:
        connection.close()


def token(port: int) -> str:
    """Open a page and return its token."""
    status, page, _ = answer(port, "/main")
    assert status == 200
    return page.partition('"token":"')[2].partition('"')[0]


class Socket:
    """A page's socket; a message consists of a header, its metadata, content and bytes."""

    def __init__(self, connection: WebSocketClientConnection) -> None:
        self.connection = connection
        self.has_ended = False
        self._count = 0

    @classmethod
    @asynccontextmanager
    async def opened(cls, port: int, named: str = "") -> AsyncIterator[Socket]:
        """Open the socket of the page with the token ``named``, or of a new page."""
        request = HTTPRequest(
            f"ws://127.0.0.1:{port}/main/ws", headers={"Origin": f"http://127.0.0.1:{port}"}
        )
        connection = await websocket_connect(request, subprotocols=["bokeh", named or token(port)])
        opened = cls(connection)
        try:
            assert (await opened.heard())[0]["msgtype"] == "ACK"
            yield opened
        finally:
            connection.close()
            while not opened.has_ended and await connection.read_message() is not None:
                pass

    async def say(
        self,
        kind: str,
        content: object,
        *parts: bytes,
        count: int | None = None,
        at_once: bool = False,
    ) -> str:
        """Send a message with its parts of bytes, named b0, b1, …, and return its id.

        Args:
            kind: the type of the message.
            content: the content of the message.
            *parts: the parts of bytes.
            count: the number of parts that its header states; None for the true number.
            at_once: whether header, metadata and content are sent as lines of one text.
        """
        self._count += 1
        header = {"msgid": str(self._count), "msgtype": kind}
        if parts or count:
            header["num_buffers"] = len(parts) if count is None else count
        texts = [json.dumps(each) for each in (header, {}, content)]
        for text in ["\n".join(texts)] if at_once else texts:
            await self.connection.write_message(text)
        for at, part in enumerate(parts):
            await self.connection.write_message(json.dumps({"id": f"b{at}"}))
            await self.connection.write_message(part, binary=True)
        return str(self._count)

    async def heard(self) -> tuple[dict[str, Any], Any]:
        """Return the header and the content of the next message, without its bytes."""
        header = json.loads(await self._read())
        await self._read()
        content = json.loads(await self._read())
        for _ in range(header.get("num_buffers", 0)):
            await self._read()
            await self._read()
        return header, content

    async def answer_to(self, number: str) -> tuple[dict[str, Any], Any]:
        """Return the answer to the message with this id; skip other messages."""
        while True:
            header, content = await self.heard()
            if header.get("reqid") == number:
                return header, content

    async def _read(self) -> Any:
        found = await self.connection.read_message()
        if found is None:
            self.has_ended = True
            raise ConnectionError("the server closed the socket")
        return found
