"""Declares the bars of the likeliest next words, always visible, to show each edit's effect."""

from collections.abc import Mapping
from typing import Any, ClassVar

import param

from ...components.callbacks import Callbacks
from ...components.component import Component, Message
from ...components.messages import AnyMessage
from ...components.order import Order


class Look(AnyMessage):
    """The bar of a word at a position was pressed."""

    row: int
    word: str


class PullBar(Look):
    """A bar was dragged to a probability."""

    value: float


class WishWord(Look):
    """A word was chosen that the model should write at a position."""


class Prediction(Component):
    """Bars of the likeliest next words, with their values before the last edit.

    The browser reads the probabilities from the board at every paint, so that they follow an
    oscillation at display rate.
    """

    value = param.Integer(default=0, bounds=(0, None), doc="The position, a row of the output.")

    rows = param.List(default=[], item_type=str, doc="The name of each position's row.")

    written = param.List(default=[], item_type=str, doc="The next word of each row; empty if none.")

    before = param.Dict(default={}, doc="Word -> probability before the last edit.")

    named = param.List(default=[], item_type=str, doc="Words that are always listed.")

    moves = param.Boolean(default=False, doc="Whether numbers are changing.")

    accepts = ("value",)

    orders: ClassVar = dict.fromkeys(("value", "look"), Order.LOOK)

    hears: ClassVar = {"look": Look, "pull": PullBar, "wish": WishWord}

    sheets = ("prediction.css", "bars.css")

    on_look = Callbacks[[int, str]]()  # position and word of a pressed bar
    on_pull = Callbacks[[int, str, float]]()  # of a dragged bar, and the new probability
    on_wish = Callbacks[[int, str]]()  # position and word that should be written

    @property
    def places(self) -> tuple[str, ...]:
        """The preceding words of each position; see `Component.places`."""
        return tuple(self.rows)

    def place_of(self, said: Mapping[str, Any]) -> int | None:
        """Return a message's row; a drag may change later positions. See `Component.place_of`."""
        row = said.get("row")
        return row if type(row) is int else None

    def offers(self, name: str, raw: Any) -> bool:
        return name == "value" and type(raw) is int and 0 <= raw < len(self.rows)

    def hear(self, message: Message) -> None:
        row, word = message["row"], message["word"]
        if not 0 <= row < len(self.rows):
            return
        if message["type"] == "look":
            self.on_look.call(row, word)
        elif message["type"] == "wish":
            self.on_wish.call(row, word)
        elif 0 <= message["value"] <= 1:
            self.on_pull.call(row, word, float(message["value"]))
