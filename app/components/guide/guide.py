"""What the page is, in one line, and some things to try, each done by one press."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import param

from ..buttons import Buttons
from ..component import module, styles
from ..order import Order

HERE = Path(__file__).parent


class Guide(Buttons):
    """A line of text and a few buttons; it can be put away, and be brought back.

    `things` are pairs of a name and what the button says; `on_press` hears of the names.
    """

    value = param.String(default="", doc="The line.")

    things = param.List(default=[], item_type=tuple, doc="Pairs of a name and a label, in order.")

    orders: ClassVar = {"press": Order.ALWAYS}

    _esm = module(HERE / "guide.js")
    _stylesheets = styles(HERE / "guide.css")

    @property
    def buttons(self) -> list[str]:
        """The names of the things to try."""
        return [name for name, _ in self.things]
