"""Declares the introduction to the page, with things to try and a legend of the picture."""

from __future__ import annotations

from typing import ClassVar

import param

from ...components.buttons import Buttons
from ...components.order import Order


class Guide(Buttons):
    """A text, buttons for things to try, and a legend; in a narrow window, it can be folded."""

    value = param.String(default="", doc="A description of the model.")

    shared = param.Boolean(default=False, doc="Whether the line describes the changes of a link.")

    film = param.String(default="", doc="The label of the film button; empty without one.")

    run = param.Selector(
        default="", objects=["", "pause", "play"], doc="The button's action on a training run."
    )

    things = param.List(default=[], item_type=tuple, doc="Pairs of a name and a label, in order.")

    reading = param.List(
        default=[],
        item_type=tuple,
        doc="Pairs of a mark in the picture and its meaning; see guide.js.",
    )

    symbols = param.List(
        default=[], item_type=tuple, doc="Pairs of symbols, separated by spaces, and their meaning."
    )

    orders: ClassVar = {"press": Order.ALWAYS}

    @property
    def buttons(self) -> list[str]:
        return [*(name for name, _ in self.things), *filter(None, [self.run])]
