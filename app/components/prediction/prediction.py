"""The likeliest next words at one position, always in sight: what every edit comes to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import param

from ..component import Component, Message, module, styles
from ..messages import AnyMessage
from ..order import Order

HERE = Path(__file__).parent
MAX_TEMPERATURE = 5.0


class Look(AnyMessage):
    """A bar was pressed: that of a word, at a position."""

    row: int
    word: str


class PullBar(Look):
    """A bar is dragged, to a probability."""

    value: float


class Prediction(Component):
    """Bars of the likeliest next words, with the values before the last edit.

    The probabilities are read from the board in the browser at every paint, so that they follow an
    oscillation at display rate. `value` is the position whose next word is shown; `rows` says of
    each position what stands before it, and `written` which word the model or the reader put there.

    `on_look` hears of a bar that is pressed, by its position and its word, `on_pull` of one that is
    dragged.
    """

    value = param.Integer(default=0, bounds=(0, None), doc="The position, a row of p.")

    rows = param.List(default=[], item_type=str, doc="What is asked at each position, in words.")

    written = param.List(default=[], item_type=str, doc="The word that stands next; empty if none.")

    temperature = param.Number(
        default=1.0, bounds=(0, MAX_TEMPERATURE), doc="What the logits are divided by."
    )

    moves = param.Boolean(default=False, doc="Whether the numbers move by themselves.")

    accepts = ("value", "temperature")

    orders: ClassVar = dict.fromkeys(("value", "temperature", "look"), Order.LOOK)

    hears: ClassVar = {"look": Look, "pull": PullBar}

    _esm = module(HERE / "prediction.js")
    _stylesheets = styles(HERE / "prediction.css")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._on_look: list[Callable[[int, str], None]] = []
        self._on_pull: list[Callable[[int, str, float], None]] = []

    @property
    def places(self) -> tuple[str, ...]:
        """See `Component.places`: what is asked at each position."""
        return tuple(self.rows)

    def offers(self, name: str, raw: Any) -> bool:
        """See `Component.offers`."""
        if name == "value":
            return type(raw) is int and 0 <= raw < len(self.rows)
        return type(raw) in (int, float) and 0 <= raw <= MAX_TEMPERATURE

    def on_look(self, callback: Callable[[int, str], None]) -> None:
        """Call this with the position and the word of each bar that is pressed."""
        self._on_look.append(callback)

    def on_pull(self, callback: Callable[[int, str, float], None]) -> None:
        """Call this with position and word of a bar that is dragged, and what it is dragged to."""
        self._on_pull.append(callback)

    def hear(self, message: Message) -> None:
        """A bar was pressed, or dragged."""
        row, word = message["row"], message["word"]
        if self.disabled or not 0 <= row < len(self.rows):
            return
        if message["type"] == "look":
            for look in self._on_look:
                look(row, word)
        elif 0 <= message["value"] <= 1:
            for pull in self._on_pull:
                pull(row, word, float(message["value"]))
