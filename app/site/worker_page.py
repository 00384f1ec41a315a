"""A page in the worker, for a port that the browser's page has opened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..components.carriers.port import PortPage
from ..components.carriers.port.wire import MAX_BYTES
from ..page.page import create_page
from ..session.address import page_address


class WorkerPage:
    """A page, with the values that cross from JavaScript to Python and back made into each's."""

    def __init__(self, post: Callable[..., None], query: str) -> None:
        self._post = post
        self._page = PortPage(self._send, most_bytes=MAX_BYTES)
        page = create_page(self._page.session, page_address(query))
        self._page.place(page.regions, page.status)

    def receive(self, text: str, buffers: Sequence[Any] | None = None) -> None:
        """What the browser's page says; the bytes are ArrayBuffers."""
        self._page.receive(text, [buffer.to_bytes() for buffer in buffers or ()])

    def close(self) -> None:
        """The browser's page has gone."""
        self._page.close()

    def _send(self, text: str, buffers: list[bytes]) -> None:
        if not buffers:
            self._post(text)
            return
        from pyodide.ffi import to_js

        self._post(text, to_js(buffers))


def open_page(post: Callable[..., None], query: str) -> WorkerPage:
    """A page that shows what the query of its address asks for.

    Args:
        post: a function of JavaScript's, of a text and perhaps bytes.
        query: of the address.
    """
    return WorkerPage(post, query if isinstance(query, str) else "")
