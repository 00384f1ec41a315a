"""An introduction to the page, with buttons for things to try and a legend of the picture."""

from __future__ import annotations

from typing import ClassVar

import param

from ...components.buttons import Buttons
from ...components.order import Order


class Guide(Buttons):
    """A text, buttons for things to try, and a legend; in a narrow window, it can be folded."""

    value = param.String(default="", doc="What the page is.")

    shared = param.Boolean(default=False, doc="Whether the line says what a link has changed.")

    film = param.String(default="", doc="The button that plays the film; empty: there is none.")

    things = param.List(default=[], item_type=tuple, doc="Pairs of a name and a label, in order.")

    reading = param.List(
        default=[], item_type=tuple, doc="Pairs of what is drawn and how it is read; see guide.js."
    )

    symbols = param.List(
        default=[], item_type=tuple, doc="Pairs of symbols, with spaces between, and their meaning."
    )

    orders: ClassVar = {"press": Order.ALWAYS}

    @property
    def buttons(self) -> list[str]:
        return [name for name, _ in self.things]
