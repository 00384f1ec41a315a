"""What Python says first to a page that nobody has touched, so that it need not be waited for."""

from __future__ import annotations

import base64
import json
from typing import Any, NamedTuple

import numpy as np

from ..components.carriers.port import PortPage, wire
from ..components.guide.guide import Guide
from ..page.page import create_page

READY = {"type": "ready", "link": None, "saved": None, "again": False}
_HEADER = np.dtype("<i4")
_SEQ = 3  # where a frame's header has its number

# A message as the page takes it: its text, and the bytes beside it as base64.
Packet = dict[str, Any]


class FirstPaint(NamedTuple):
    """What is said, and what is answered to a first press on one of the things to try.

    Attributes:
        said: to a page of a plain address.
        answers: by the text of what the page says when one is pressed.
    """

    said: list[Packet]
    answers: dict[str, list[Packet]]


def first_paint() -> FirstPaint:
    """Make the page as the browser does, and let it answer the board that says it is ready."""
    visitor = _Visitor()
    said = visitor.take()
    presses = [
        visitor.written(visitor.guide, {"type": "press", "name": name})
        for name in visitor.things_to_try
    ]
    return FirstPaint(said, {press: _answer(press) for press in presses})


def _answer(press: str) -> list[Packet]:
    """What a page says that has painted its first numbers, when this is said to it."""
    visitor = _Visitor()
    visitor.sees_all()
    visitor.take()
    visitor.port.receive(press)
    visitor.paints()
    return visitor.take()


class _Visitor:
    """A page that nobody sees: it paints whatever the board sends, and says so."""

    def __init__(self) -> None:
        self._posted: list[tuple[str, list[bytes]]] = []
        # As the worker has it: the page is drawn anew where anything is said otherwise.
        self.port = PortPage(self._post, most_bytes=wire.MAX_BYTES)
        page = create_page(self.port.session)
        self.port.place(page.regions, page.status)
        self.board = self.port.number_of(page.regions["main"][0])
        [guide] = page.regions["guide"]
        assert isinstance(guide, Guide)
        self.guide, self.things_to_try = self.port.number_of(guide), [x for x, _ in guide.things]
        self.port.receive(self.written(self.board, READY))

    def _post(self, text: str, buffers: list[bytes]) -> None:
        self._posted.append((text, buffers))

    def written(self, number: int, message: dict[str, Any]) -> str:
        """A message as the page writes it."""
        return wire.write(["message", number, message])[0]

    def take(self) -> list[Packet]:
        """What was posted since."""
        posted, self._posted = self._posted, []
        return [
            {"text": text, "buffers": [base64.b64encode(buffer).decode() for buffer in buffers]}
            for text, buffers in posted
        ]

    def sees_all(self) -> None:
        """All of the first picture is in sight, and painted."""
        entries = [entry for text, _ in self._posted for entry in json.loads(text)]
        [manifest] = [x for kind, _, x in entries if kind == "message" and x["type"] == "manifest"]
        shown = json.loads(manifest["json"])
        seen = {"indices": list(range(len(shown["matrices"]))), "version": shown["version"]}
        self.port.receive(self.written(self.board, {"type": "visible", **seen}))
        self.paints()

    def paints(self) -> None:
        """Frames that come are painted, and so are those that come of that."""
        done = 0
        while done < len(self._posted):
            for buffer in self._posted[done][1]:
                seq = int(np.frombuffer(buffer, _HEADER, count=_SEQ + 1)[_SEQ])
                self.port.receive(self.written(self.board, {"type": "ack", "seq": seq}))
            done += 1
