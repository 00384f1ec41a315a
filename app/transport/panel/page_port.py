"""The port of a page served by Panel: the only model in its Bokeh document.

One Bokeh model per component cost 230 ms of CPU per opened page, and every edit visited all
models. The messages are the same as in a worker or a notebook.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Protocol

from bokeh.core.types import ID
from bokeh.document import Document
from bokeh.model import Model
from panel.models.esm import DataEvent, ESMEvent

from ...components.component import Placed
from ..port import PageStatus, PortPage
from ..runtime.page_session import PageSession
from ..security.refusals import tell
from .document_session import DocumentSession

MOST_BEGINNINGS = 20  # per document; a reloaded page gets a new document
LONG = 2000  # texts with more characters than this are compressed
COMPRESSION = 3  # zlib level: two thirds of the time of the default, a few percent more bytes
INFLATES = {"inflates": True}  # sent by a browser that can decompress


class Made(Protocol):
    """A page that was created for a browser."""

    @property
    def regions(self) -> Mapping[str, Sequence[Placed]]:
        """The components of each region."""

    @property
    def status(self) -> PageStatus:
        """The state of the page as a whole."""


class Port(Model):
    """The model to which the browser sends messages, by its id; it draws nothing.

    The id is the same in every document. If the socket of a page reaches another process, or opens
    after the session has expired, the document is created again, and the id must still be valid.
    """

    def __new__(cls) -> Port:
        return super().__new__(cls, id=ID("port"))  # type: ignore[no-any-return]


class PagePort:
    """A page that is created when a browser has loaded it.

    The browser sends ``{}`` or ``{inflates}`` to begin, then the ``{text, buffers}`` of `PortPage`.
    The server sends ``{text, bytes, lengths}``, with all buffers joined: a separate buffer would
    take two socket messages. A browser that can decompress gets a long text as a compressed buffer.
    The first message contains the version of the server's files, because another process, with
    other files, may have sent the page.
    """

    def __init__(
        self, document: Document, make: Callable[[PageSession], Made], version: str = ""
    ) -> None:
        """Create the port of a document.

        ``make`` creates the page of a session; ``version`` is the version of the server's files.
        """
        self._document = document
        self._make = make
        self._version = version
        self._is_version_told = False
        self._model = Port()
        self._page: PortPage | None = None
        self._beginnings = 0
        self._inflates = False
        self._model.on_event(DataEvent, self._hear)
        document.add_root(self._model)
        document.on_session_destroyed(lambda _context: self._end())

    @property
    def id(self) -> str:
        """The id to which the browser sends messages."""
        return str(self._model.id)

    def _hear(self, event: DataEvent) -> None:
        match data := event.data:
            case {"text": str(text), "buffers": list(buffers)} if self._page is not None:
                if all(isinstance(each, bytes) for each in buffers):
                    self._page.receive(text, buffers)
                    return
            case dict() if data in ({}, INFLATES) and self._beginnings < MOST_BEGINNINGS:
                self._begin(inflates=data == INFLATES)
                return
        tell("what a page says that is nothing of a page")

    def _begin(self, *, inflates: bool) -> None:
        """Create and show the page; a browser that connects again gets a new page."""
        self._end()
        self._inflates = inflates
        self._is_version_told = False
        self._beginnings += 1
        self._page = PortPage(self._post, partial(DocumentSession, self._document))
        made = self._make(self._page.session)
        self._page.place(made.regions, made.status)

    def _end(self) -> None:
        if self._page is not None:
            self._page.close()

    def _post(self, text: str, buffers: list[bytes]) -> None:
        said: dict[str, Any] = {"text": text}
        if self._inflates and len(text) > LONG:
            with suppress(UnicodeEncodeError):  # the text has a lone surrogate
                buffers = [zlib.compress(text.encode(), COMPRESSION), *buffers]
                said = {"deflated": True}
        if buffers:
            said |= {"bytes": b"".join(buffers), "lengths": [*map(len, buffers)]}
        if not self._is_version_told:
            self._is_version_told = True
            said["version"] = self._version
        self._document.callbacks.send_event(ESMEvent(model=self._model, data=said))
