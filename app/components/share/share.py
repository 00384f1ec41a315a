"""The Share button: what is on the page as a link, a file, or a line for another page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import param

from ..component import Component, Message, module, styles
from ..messages import AnyMessage
from ..order import Order

HERE = Path(__file__).parent


class Embedding(NamedTuple):
    """How the page is embedded in another one.

    Attributes:
        fields: what can be chosen, as a form shows it.
        query: the parameters of the address.
        follows: whether the frame is as high as what is in it.
    """

    fields: list[dict[str, Any]]
    query: str
    follows: bool


class Shared(NamedTuple):
    """What is on the page.

    Attributes:
        code: of the link; None where it would be too long.
        text: for a file.
        is_first: whether all is as the page opens.
    """

    code: str | None
    text: str
    is_first: bool


class Ask(AnyMessage):
    """The dialog was opened, while a stage is read."""

    stage: str


class Embed(AnyMessage):
    """Something of the embedding was chosen."""

    name: str
    value: object


class Open(AnyMessage):
    """A file was opened: as bytes, which are no more on their way than they are."""

    bytes: bytes


class Share(Component):
    """A dialog with the link of the present state, and the line for a course page.

    `on_ask()` gives what is on the page, `on_embed(stage)` how it is embedded (with the stage that
    is read), and `on_choose(name, value)` makes a choice of that, or raises a ValueError.
    `on_prepare(text, go_on)` goes on when the text of a file can be opened without a wait. `value`
    is the text of the file that was opened last; a watcher that cannot take it raises a ValueError,
    whose sentence is shown.
    """

    value = param.String(default="", doc="The text of the file that was opened.", precedence=-1)

    place = param.Selector(
        default="menu", objects=["line", "menu"], doc="Where it stands if there is room, or not."
    )

    hears: ClassVar = {"ask": Ask, "embed": Embed, "open": Open}

    orders: ClassVar = {"ask": Order.LOOK, "embed": Order.LOOK, "open": Order.ALWAYS}

    _esm = module(HERE / "share.js")
    _stylesheets = styles(HERE.parent / "form" / "controls.css", HERE / "share.css")

    def __init__(
        self,
        *,
        on_ask: Callable[[], Shared],
        on_embed: Callable[[str], Embedding],
        on_choose: Callable[[str, Any], Embedding],
        on_prepare: Callable[[str, Callable[[], None]], None] = lambda _, go_on: go_on(),
        **params: Any,
    ) -> None:
        super().__init__(**{"sizing_mode": None, **params})
        self._on_ask = on_ask
        self._on_embed = on_embed
        self._on_choose = on_choose
        self._on_prepare = on_prepare
        self._stage = ""

    def hear(self, message: Message) -> None:
        """The dialog was opened, or a file in it; or something of the embedding was chosen."""
        if message["type"] == "ask":
            self._stage = message["stage"]
            embedding = self._on_embed(self._stage)._asdict()
            self.send({"type": "session", **self._on_ask()._asdict(), "embedding": embedding})
        elif message["type"] == "embed":
            sentence = ""
            try:
                embedding = self._on_choose(message["name"], message["value"])._asdict()
            except ValueError as error:
                sentence, embedding = str(error), self._on_embed(self._stage)._asdict()
            self.send({"type": "embedding", "sentence": sentence, "embedding": embedding})
        elif not self.disabled:
            text = message["bytes"].decode("utf-8", "replace")
            self._on_prepare(text, lambda: self._open(text))

    def _open(self, text: str) -> None:
        with param.parameterized.discard_events(self):
            self.value = ""  # the same file may be opened once more
        sentence = self.attempt(lambda: self.param.update(value=text))
        self.send({"type": "opened", "sentence": sentence})
