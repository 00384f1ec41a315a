"""A visitor: a page as the server sees it, with a request and a socket of Bokeh's protocol.

A hundred browsers would measure the browsers. The visitor requests the same files as a browser, and
acknowledges frames like the board.
"""

import asyncio
import json
import re
import time
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from tinkerformer.board.wire import FRAME, MAGIC, ORBIT
from tinkerformer.transport.port import wire
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

MOST_BYTES = 1 << 26
PATIENCE = 60.0  # seconds for any answer
_KINDS = ("place", "manifest", "answers", "model")
_TOLD = tuple(rf"\"{word}\"" for word in _KINDS)
_HEADER = np.dtype("<i4")
_DEFLATED = '"deflated",true'  # limit of a message whose text is the first of its bytes
_LENGTHS = re.compile(r'"lengths",\[([\d,]+)\]')  # limit of the bytes of one message
_TOKEN = re.compile(r'"token":"([^"]+)"')


class Visitor:
    """An open page.

    Attributes:
        received: the bytes received through the socket.
        last: the time when the last bytes arrived.
        manifest: the shown structure.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.received = 0
        self.last = 0.0
        self.manifest: dict[str, Any] = {}
        self._socket: WebSocketClientConnection | None = None
        self._port = ""
        self._numbers: dict[str, int] = {}
        self._model = ""
        self._asked = 0  # the number of the last message
        self._open: dict[int, asyncio.Future[int]] = {}  # number -> a future of the page's version
        self._painted: list[tuple[int, asyncio.Future[float]]] = []  # futures of a version
        self._holds = -1  # the version of the last frame
        self._reading: asyncio.Task[None] | None = None
        self._placed = asyncio.Event()
        self._shown = asyncio.Event()
        self._swings = asyncio.Event()
        self._last_seen = 0

    async def open(self, query: str = "") -> None:
        """Open the page, and wait for its numbers."""
        client = AsyncHTTPClient()
        reply = await client.fetch(self.url + query, request_timeout=PATIENCE)
        found = _TOKEN.search(reply.body.decode())
        if found is None:
            raise RuntimeError("The server sent no page.")
        address = re.sub("^http", "ws", self.url) + "/ws"
        origin = "/".join(self.url.split("/")[:3])
        self._socket = await websocket_connect(
            HTTPRequest(address, headers={"Origin": origin}, request_timeout=PATIENCE),
            subprotocols=["bokeh", found[1]],
            max_message_size=MOST_BYTES,
        )
        assert self._socket.protocol is not None
        self._socket.protocol.set_nodelay(True)  # like a browser
        await self._part()  # the acknowledgement's header; its other two parts are empty
        await self._part()
        await self._part()
        await self._send("PULL-DOC-REQ", {})
        [port] = json.loads(await self._content("PULL-DOC-REPLY"))["doc"]["roots"]
        self._port = port["id"]
        self._reading = asyncio.create_task(self._read())
        await self._event("document_ready")
        await self._event("data_event", model={"id": self._port}, data=_map({"inflates": True}))
        await asyncio.wait_for(self._placed.wait(), PATIENCE)
        await self.tell("ready", again=False, link=None)
        await asyncio.wait_for(self._shown.wait(), PATIENCE)

    async def close(self) -> None:
        """Close the page, as a browser does with a tab."""
        if self._reading is not None:
            if self._reading.done():
                self._reading.result()  # an error while nothing waited
            self._reading.cancel()
        if self._socket is not None:
            self._socket.close()

    async def set(self, path: str, i: int, j: int, value: float) -> float:
        """Set a number; return the time when the answering frame arrived."""
        fields = {"path": path, "i": i, "j": j, "value": value, "ack": self._last_seen}
        asked = await self.tell("set", of=self.manifest["structure"], **fields)
        version = await asyncio.wait_for(asked, PATIENCE)
        if self._holds >= version:
            return self.last
        painted = asyncio.get_running_loop().create_future()
        self._painted.append((version, painted))
        return await asyncio.wait_for(painted, PATIENCE)

    async def swinging(self) -> None:
        """Wait until an oscillation has arrived."""
        await asyncio.wait_for(self._swings.wait(), PATIENCE)

    async def tell(
        self, kind: str, component: str = "BoardComponent", /, **fields: object
    ) -> asyncio.Future[int]:
        """Send a message to a component: by the name of its class, or of a field that it has.

        Return the version of the page afterward, or −1 if the message was refused.
        """
        return await self._post("message", self._numbers[component], {"type": kind, **fields})

    async def _post(
        self, kind: str, number: int, content: dict[str, object]
    ) -> asyncio.Future[int]:
        """Send a request, and return its answer."""
        self._asked += 1
        done = self._open[self._asked] = asyncio.get_running_loop().create_future()
        stamp = {"n": self._asked, "at": 1000 * time.time(), "model": self._model}
        await self._say(kind, number, content, stamp)
        return done

    async def _say(
        self, kind: str, number: int, content: Mapping[str, object], *stamp: object
    ) -> None:
        text, parts = wire.write([kind, number, content, *stamp])
        buffers = [{"type": "bytes", "data": {"id": f"b{k}"}} for k in range(len(parts))]
        data = _map({"text": text, "buffers": buffers})
        await self._event("data_event", *parts, model={"id": self._port}, data=data)

    async def _event(self, name: str, *parts: bytes, **values: object) -> None:
        message = {"type": "event", "name": name, "values": _map(values)}
        event = {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": message}
        await self._send("PATCH-DOC", {"events": [event]}, *parts)

    async def _send(self, kind: str, content: Mapping[str, object], *parts: bytes) -> None:
        """Send a message with its bytes, which are named b0, b1, …"""
        assert self._socket is not None
        header: dict[str, object] = {"msgid": str(time.monotonic_ns()), "msgtype": kind}
        if parts:
            header["num_buffers"] = len(parts)
        fragments: list[str | bytes] = ["\n".join(map(json.dumps, (header, {}, content)))]
        for at, part in enumerate(parts):
            fragments += [json.dumps({"id": f"b{at}"}), part]
        # All parts are written before waiting, so that no other message comes between them.
        await asyncio.gather(
            *[
                self._socket.write_message(each, binary=isinstance(each, bytes))
                for each in fragments
            ]
        )

    async def _part(self) -> str | bytes:
        assert self._socket is not None
        part = await asyncio.wait_for(self._socket.read_message(), PATIENCE)
        if part is None:
            raise ConnectionError("The server closed the socket.")
        self._count(part)
        return part

    async def _content(self, kind: str) -> str | bytes:
        """Return the content of the next message of a kind."""
        while True:
            header = json.loads(await self._part())
            await self._part()
            content = await self._part()
            if header["msgtype"] == kind:
                return content

    async def _read(self) -> None:
        """Read messages as long as the page is open."""
        assert self._socket is not None
        lengths: list[int] = []
        is_deflated = False
        while (part := await self._socket.read_message()) is not None:
            self._count(part)
            if isinstance(part, bytes):
                if is_deflated:
                    length, *lengths = lengths
                    self._take_entries(zlib.decompress(part[:length]).decode())
                    part = part[length:]
                for length in lengths:
                    await self._take_bytes(part[:length])
                    part = part[length:]
            elif part.startswith('{"events"'):
                found = _LENGTHS.search(part)
                lengths = [int(each) for each in found[1].split(",")] if found else []
                is_deflated = _DEFLATED in part
                if not is_deflated:
                    self._take_text(part)

    def _count(self, part: str | bytes) -> None:
        self.received += len(part)
        self.last = time.perf_counter()

    async def _take_bytes(self, part: bytes) -> None:
        header = np.frombuffer(part[:32], _HEADER) if len(part) >= 32 else np.zeros(1)
        if header[0] != MAGIC:
            return  # numbers of a chart, or a file
        if header[1] not in (FRAME, ORBIT) or header[3] == 0:
            return
        seq, self._holds = int(header[3]), int(header[6])
        self._last_seen = seq
        if header[1] == ORBIT:
            self._swings.set()
        elif header[2] == self.manifest["version"]:  # otherwise, it belongs to an old structure
            self._shown.set()
        waiting, self._painted = self._painted, []
        for version, painted in waiting:
            if version <= self._holds:
                painted.set_result(self.last)
            else:
                self._painted.append((version, painted))
        await self._say("message", self._numbers["BoardComponent"], {"type": "ack", "seq": seq})

    def _take_text(self, part: str) -> None:
        """Read the other entries: the components, the structure, the answers."""
        if not any(word in part for word in _TOLD):
            return
        for event in json.loads(part)["events"]:
            data = dict(event["msg_data"]["values"]["entries"])["data"]
            self._take_entries(dict(data["entries"])["text"])

    def _take_entries(self, text: str) -> None:
        for kind, _, content in json.loads(text):
            self._take_entry(kind, content)

    def _take_entry(self, kind: str, content: dict[str, Any]) -> None:
        if kind == "place":
            self._numbers = _numbers(content)
            self._placed.set()
        elif kind == "model":
            self._model = content["name"]
        elif kind == "answers":
            self._take_answers(content)
        elif kind == "message" and content["type"] == "manifest":
            self.manifest = json.loads(content["json"])

    def _take_answers(self, answers: dict[str, Any]) -> None:
        for number, sentence in answers["done"]:
            self._open.pop(number).set_result(-1 if sentence else answers["version"])


def _map(values: Mapping[str, object]) -> dict[str, object]:
    """Return a mapping in Bokeh's form."""
    return {"type": "map", "entries": [[name, value] for name, value in values.items()]}


def _numbers(regions: Mapping[str, list[dict[str, Any]]]) -> dict[str, int]:
    """Return name of a class or field -> number of the component that receives its messages."""
    found: dict[str, int] = {}
    waiting = [each for region in regions.values() for each in region]
    for each in waiting:
        properties = each["properties"]
        if each["kind"] == "column":
            waiting.extend(properties["objects"])
        elif each["kind"] == "component":
            found.setdefault(each["class"], each["number"])
            for field in properties.get("fields") or []:
                found.setdefault(field["name"], each["number"])
    return found
