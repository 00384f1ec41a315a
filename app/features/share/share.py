"""Declares the Share button: the session as a link, a file, or an embedding code."""

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import param

from ...components.component import Component, Message
from ...components.messages import AnyMessage
from ...components.order import Order


class Embedding(NamedTuple):
    """The embedding of the page in another page."""

    fields: list[dict[str, Any]]  # the options, as descriptions of form fields
    query: str  # the query of the address
    follows: bool  # whether the iframe's height follows its content


class Shared(NamedTuple):
    """The session in the forms that can be shared."""

    code: str | None  # the link's code; None if no link can hold the session
    about: str  # sentences on the content of the link, and on missing parts
    text: str  # the content of a file
    name: str  # the name of that file


class Ask(AnyMessage):
    """The dialog was opened; ``stage`` is the stage being read."""

    stage: str


class Close(AnyMessage):
    """The dialog was closed."""


class Embed(AnyMessage):
    """An option of the embedding was changed."""

    name: str
    value: object


class Open(AnyMessage):
    """A file was opened; its bytes take no more space in the message than in the file."""

    bytes: bytes


class Share(Component):
    """A dialog with the link of the current session, and the embedding code for a course page.

    `on_ask(take)` calls `take` with a `Shared` once no training changes the session;
    `on_close()` is called when the dialog closes. `on_embed(stage)` returns an `Embedding` for the
    stage being read, and `on_choose(name, value)` changes one of its options or raises a
    ValueError. `on_prepare(text, go_on)` does the slow part of opening a file, then calls `go_on`.
    `value` is the text of the file that was opened last; a watcher that cannot open it raises a
    ValueError, whose message is shown.
    """

    value = param.String(default="", doc="The text of the opened file.", precedence=-1)

    place = param.Selector(
        default="menu", objects=["line", "menu"], doc="In the line if it has room, or in the menu."
    )

    hears: ClassVar = {"ask": Ask, "close": Close, "embed": Embed, "open": Open}

    orders: ClassVar = {
        **dict.fromkeys(("ask", "close", "embed"), Order.LOOK),
        "open": Order.ALWAYS,
    }

    sheets = (
        "../../components/form/controls.css",
        "../../components/shared/dialog.css",
        "share.css",
    )

    def __init__(
        self,
        *,
        on_ask: Callable[[Callable[[Shared], None]], None],
        on_close: Callable[[], None],
        on_embed: Callable[[str], Embedding],
        on_choose: Callable[[str, Any], Embedding],
        on_prepare: Callable[[str, Callable[[], None]], None] = lambda _, go_on: go_on(),
        **params: Any,
    ) -> None:
        super().__init__(**{"sizing_mode": None, **params})
        self._on_ask = on_ask
        self._on_close = on_close
        self._on_embed = on_embed
        self._on_choose = on_choose
        self._on_prepare = on_prepare
        self._stage = ""

    def hear(self, message: Message) -> None:
        if message["type"] == "ask":
            self._stage = message["stage"]
            self._on_ask(self._send_session)
        elif message["type"] == "close":
            self._on_close()
        elif message["type"] == "embed":
            sentence = ""
            try:
                embedding = self._on_choose(message["name"], message["value"])._asdict()
            except ValueError as error:
                sentence, embedding = str(error), self._on_embed(self._stage)._asdict()
            self.send({"type": "embedding", "sentence": sentence, "embedding": embedding})
        else:
            text = message["bytes"].decode("utf-8", "replace")
            self._on_prepare(text, lambda: self._open(text))

    def _send_session(self, shared: Shared) -> None:
        embedding = self._on_embed(self._stage)._asdict()
        self.send({"type": "session", **shared._asdict(), "embedding": embedding})

    def _open(self, text: str) -> None:
        with param.parameterized.discard_events(self):
            self.value = ""  # so that the same file can be opened again
        sentence = self.attempt(lambda: self.param.update(value=text))
        self.send({"type": "opened", "sentence": sentence})
