"""The port of a page that Panel serves: the one thing of its document.

Each component as a model of Bokeh's cost 230 ms of a processor at every opened page, and all models
were asked at every edit. Through the port goes what a page behind any other port says and hears.
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

from ....runtime.page_session import PageSession
from ....security.refusals import tell
from ...component import Placed
from ..port import PageStatus, PortPage
from .document_session import DocumentSession

MOST_BEGINNINGS = 20  # of one document: a page that is loaded again has another one
LONG = 2000  # letters of a text that is compressed
INFLATES = {"inflates": True}  # of a browser that can undo that


class Made(Protocol):
    """A page that was made for a browser."""

    @property
    def regions(self) -> Mapping[str, Sequence[Placed]]:
        """What stands on it."""

    @property
    def status(self) -> PageStatus:
        """What is to be known of it as a whole."""


class Port(Model):
    """What a browser speaks to, by its id; it is drawn by none.

    The id is the same in every document: a page may get its socket from another process than the
    one that sent it, or after its session was forgotten, and then its document is made anew.
    """

    def __new__(cls) -> Port:
        return super().__new__(cls, id=ID("port"))  # type: ignore[no-any-return]


class PagePort:
    """A page that is made when a browser is there to show it.

    From the browser come ``{}``, which has it begin, or ``{inflates}``, and the ``{text, buffers}``
    of `PortPage`; to it go ``{text, bytes, lengths}``: each piece of bytes alone would be two
    messages of a socket. To one that inflates a long text goes as the first of the bytes.
    """

    def __init__(self, document: Document, make: Callable[[PageSession], Made]) -> None:
        """The port of a document.

        Args:
            document: of the page, from which its messages are heard.
            make: makes the page of a session.
        """
        self._document = document
        self._make = make
        self._model = Port()
        self._page: PortPage | None = None
        self._beginnings = 0
        self._inflates = False
        self._model.on_event(DataEvent, self._hear)
        document.add_root(self._model)
        document.on_session_destroyed(lambda _context: self._end())

    @property
    def id(self) -> str:
        """By which a browser speaks to it."""
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
        """Show the page; to a browser that has come to the same document it is another one."""
        self._end()
        self._inflates = inflates
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
            with suppress(UnicodeEncodeError):  # half a character, out of what a tab kept
                buffers = [zlib.compress(text.encode()), *buffers]
                said = {"deflated": True}
        if buffers:
            said |= {"bytes": b"".join(buffers), "lengths": [*map(len, buffers)]}
        self._document.callbacks.send_event(ESMEvent(model=self._model, data=said))
