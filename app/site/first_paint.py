"""Records Python's first messages to a new page, so that it can be drawn before Python runs."""

import base64
import json
from typing import Any, NamedTuple

import numpy as np

from ..features.film.film import FilmPlayer
from ..features.guide.guide import Guide
from ..shell.page import create_page
from ..transport.port import PortPage, wire

READY = {"type": "ready", "link": None, "saved": None, "again": False}
_HEADER = np.dtype("<i4")
_SEQ = 3  # position of the sequence number in a frame's header

# A message as the page receives it: text, and binary buffers as base64.
Packet = dict[str, Any]


class FirstPaint(NamedTuple):
    """Recorded messages that open a page, and replies to the first action of the user."""

    said: list[Packet]  # the messages that open a page without parameters
    # The replies to each suggestion and to each scene of the film that changes numbers, by message.
    answers: dict[str, list[Packet]]


def first_paint() -> FirstPaint:
    """Run a page with a simulated browser, and record the messages that Python sends."""
    visitor = _Visitor()
    said = visitor.take()
    presses = [
        visitor.written(visitor.guide, {"type": "press", "name": name})
        for name in visitor.things_to_try
    ] + [
        visitor.written(visitor.film, {"type": "scene", "scene": k}) for k in visitor.acting_scenes
    ]
    return FirstPaint(said, {press: _answer(press) for press in presses})


def _answer(press: str) -> list[Packet]:
    """Return Python's reply to a message that is sent after the first numbers were painted."""
    visitor = _Visitor()
    visitor.sees_all()
    visitor.take()
    visitor.port.receive(press)
    visitor.paints()
    return visitor.take()


class _Visitor:
    """A simulated browser that acknowledges every frame it receives."""

    def __init__(self) -> None:
        self._posted: list[tuple[str, list[bytes]]] = []
        # The limit of the worker: the page is redrawn if the worker's messages differ.
        self.port = PortPage(self._post, most_bytes=wire.MAX_BYTES)
        page = create_page(self.port.session)
        self.port.place(page.regions, page.status)
        self.board = self.port.number_of(page.regions["main"][0])
        [guide] = page.regions["guide"]
        assert isinstance(guide, Guide)
        self.guide, self.things_to_try = self.port.number_of(guide), [x for x, _ in guide.things]
        [film] = page.regions["film"]
        assert isinstance(film, FilmPlayer)
        self.film = self.port.number_of(film)
        self.acting_scenes = [k for k, scene in enumerate(film.value) if scene["acts"]]
        self.port.receive(self.written(self.board, READY))

    def _post(self, text: str, buffers: list[bytes]) -> None:
        self._posted.append((text, buffers))

    def written(self, number: int, message: dict[str, Any]) -> str:
        """Encode a message as the page does."""
        return wire.write(["message", number, message])[0]

    def take(self) -> list[Packet]:
        """Return the messages posted since the last call."""
        posted, self._posted = self._posted, []
        return [
            {"text": text, "buffers": [base64.b64encode(buffer).decode() for buffer in buffers]}
            for text, buffers in posted
        ]

    def sees_all(self) -> None:
        """Report that the whole initial picture is visible and painted."""
        entries = [entry for text, _ in self._posted for entry in json.loads(text)]
        [manifest] = [x for kind, _, x in entries if kind == "message" and x["type"] == "manifest"]
        shown = json.loads(manifest["json"])
        seen = {"indices": list(range(len(shown["matrices"]))), "version": shown["version"]}
        self.port.receive(self.written(self.board, {"type": "visible", **seen}))
        self.paints()

    def paints(self) -> None:
        """Acknowledge frames, including those sent in response to an acknowledgment."""
        done = 0
        while done < len(self._posted):
            for buffer in self._posted[done][1]:
                seq = int(np.frombuffer(buffer, _HEADER, count=_SEQ + 1)[_SEQ])
                self.port.receive(self.written(self.board, {"type": "ack", "seq": seq}))
            done += 1
