"""Declares a dialog that goes to a matrix or a control by its name."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple

from ...components.component import Component, Message
from ...components.messages import AnyMessage
from ...components.order import Order


class Named(NamedTuple):
    """A matrix of the model."""

    path: str
    symbol: str  # its symbol as plain text
    place: str  # its place in the model, in words


class Find(AnyMessage):
    """A request for the matrices that match the typed text."""

    text: str


class GoTo(Component):
    """A dialog that goes to a matrix by its name; `on_find(text)` returns the best matches."""

    hears: ClassVar = {"find": Find}

    orders: ClassVar = {"find": Order.LOOK}

    sheets = ("../../components/shared/dialog.css", "go_to.css")

    def __init__(
        self, *, on_find: Callable[[str], Sequence[Named]] = lambda _: (), **params: Any
    ) -> None:
        super().__init__(**params)
        self._on_find = on_find

    def hear(self, message: Message) -> None:
        text = message["text"]
        found = [each._asdict() for each in self._on_find(text)]
        self.send({"type": "found", "text": text, "matrices": found})
