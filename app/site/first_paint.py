"""What Python says first to a page that nobody has touched, so that it need not be waited for."""

from __future__ import annotations

import base64
import json
from typing import Any

from ..components.carriers.port import PortPage
from ..page.page import create_page

READY = {"type": "ready", "link": None, "saved": None, "again": False}


def first_paint() -> list[dict[str, Any]]:
    """The messages to a page of a plain address, bytes as base64.

    It is made here as it is made in the browser, and answers the board that says it is ready.
    """
    said: list[dict[str, Any]] = []

    def post(text: str, buffers: list[bytes]) -> None:
        packed = [base64.b64encode(buffer).decode() for buffer in buffers]
        said.append({"text": text, "buffers": packed})

    port = PortPage(post)
    page = create_page(port.session)
    port.place(page.regions)
    board = port.number_of(page.regions["main"][0])
    port.receive(json.dumps(["message", board, READY]))
    port.close()
    return said
