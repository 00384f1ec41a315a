"""Runs a page in the worker, connected to the browser's page by a port."""

from collections.abc import Callable, Sequence
from typing import Any

from ..session.address import page_address
from ..shell.page import create_page
from ..transport.port import PortPage
from ..transport.port.wire import MAX_BYTES


class WorkerPage:
    """A page that converts messages between JavaScript and Python values."""

    def __init__(self, post: Callable[..., None], query: str) -> None:
        self._post = post
        self._page = PortPage(self._send, most_bytes=MAX_BYTES)
        page = create_page(self._page.session, page_address(query))
        self._page.place(page.regions, page.status)

    def receive(self, text: str, buffers: Sequence[Any] | None = None) -> None:
        """Handle a message from the browser's page; binary data are ArrayBuffers."""
        self._page.receive(text, [buffer.to_bytes() for buffer in buffers or ()])

    def close(self) -> None:
        """Close the page, after the browser has closed its page."""
        self._page.close()

    def _send(self, text: str, buffers: list[bytes]) -> None:
        if not buffers:
            self._post(text)
            return
        from pyodide.ffi import to_js

        self._post(text, to_js(buffers))


def open_page(post: Callable[..., None], query: str) -> WorkerPage:
    """Open a page with the query of its URL; ``post`` sends a text and optional binary data."""
    return WorkerPage(post, query if isinstance(query, str) else "")
