"""A one-line introduction to the page, with buttons for things to try."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import param

from ..buttons import Buttons
from ..component import module, styles
from ..order import Order

HERE = Path(__file__).parent


class Guide(Buttons):
    """A line of text and a few buttons; it can be dismissed and brought back.

    `things` are pairs of a name and a button label; `on_press` callbacks get the name.
    """

    value = param.String(default="", doc="The line.")

    things = param.List(default=[], item_type=tuple, doc="Pairs of a name and a label, in order.")

    orders: ClassVar = {"press": Order.ALWAYS}

    _esm = module(HERE / "guide.js")
    _stylesheets = styles(HERE / "guide.css")

    @property
    def buttons(self) -> list[str]:
        """The names of the buttons."""
        return [name for name, _ in self.things]
