"""The port of a page that Panel serves: the one thing of its document.

Each component as a model of Bokeh's cost 230 ms of a processor at every opened page, and all models
were asked at every edit. Through the port goes what a page behind any other port says and hears.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import panel as pn
from bokeh.document import Document
from bokeh.model import Model
from panel.models.esm import DataEvent, ESMEvent

from ....refusals import tell
from ....runtime.page_session import PageSession
from ...component import Placed
from ...esm import esm
from ..port import PortPage
from .document_session import DocumentSession
from .module import Module

HERE = Path(__file__).parent
MOST_BEGINNINGS = 20  # of one document: a page that is loaded again has another one

Regions = Mapping[str, Sequence[Placed]]


class PagePort(Module):
    """A page that is made when a browser is there to show it.

    From the browser come ``{}``, which has it begin, and the ``{text, buffers}`` of `PortPage`; to
    it go ``{text, bytes, lengths}``: each piece of bytes alone would be two messages of a socket.
    """

    _esm: ClassVar[str] = esm(HERE / "page_port.js")
    _linked_properties: ClassVar[tuple[str, ...]] = ()

    def __init__(self, document: Document, make: Callable[[PageSession], Regions]) -> None:
        """The port of a document.

        Args:
            document: of the page, from which its messages are heard.
            make: makes the page of a session, and gives what stands on it.
        """
        super().__init__()
        self._document = document
        self._make = make
        self._model: Model | None = None
        self._page: PortPage | None = None
        self._beginnings = 0
        document.on_session_destroyed(lambda _context: self._end())

    def _register_events(self, *_names: str, model: Model, doc: Document, **_: Any) -> None:
        """Hear what a browser sends from the document itself.

        Panel counts each message as work under way that no page shows.
        """
        self._model = model
        model.subscribed_events.add(DataEvent.event_name)
        # Documents refuse events of models by name, but call whoever stands here.
        doc.callbacks._event_callbacks[DataEvent.event_name].append(self._hear)

    def _hear(self, event: DataEvent) -> None:
        if event.model is not self._model:
            return
        try:
            self._take(event.data)
        except Exception as error:
            pn.state._handle_exception(error)

    def _take(self, data: object) -> None:
        match data:
            case {"text": str(text), "buffers": list(buffers)} if self._page is not None:
                if all(isinstance(each, bytes) for each in buffers):
                    self._page.receive(text, buffers)
                    return
            case dict() if not data and self._beginnings < MOST_BEGINNINGS:
                self._begin()
                return
        tell("what a page says that is nothing of a page")

    def _begin(self) -> None:
        """Show the page; to a browser that has come to the same document it is another one."""
        self._end()
        self._beginnings += 1
        self._page = PortPage(self._post, partial(DocumentSession, self._document))
        self._page.place(self._make(self._page.session))

    def _end(self) -> None:
        if self._page is not None:
            self._page.close()

    def _post(self, text: str, buffers: list[bytes]) -> None:
        said: dict[str, Any] = {"text": text}
        if buffers:
            said |= {"bytes": b"".join(buffers), "lengths": [*map(len, buffers)]}
        self._document.callbacks.send_event(ESMEvent(model=self._model, data=said))
