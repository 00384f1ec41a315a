"""The buttons that open and close the drawer below the model."""

from pathlib import Path
from typing import ClassVar

import param

from ..choice import Choice
from ..component import module, styles
from ..order import Order

HERE = Path(__file__).parent


class Drawer(Choice):
    """A button for each content of the drawer; pressed again, or by its close button, it closes."""

    drawers = param.List(default=[], doc="Pairs of a name and a label, in order.")

    orders: ClassVar = {"value": Order.LOOK}

    _esm = module(HERE / "drawer.js")
    _stylesheets = styles(HERE / "drawer.css")

    def names(self) -> list[str]:
        """See `Choice.names`; the empty one closes the drawer."""
        return ["", *(name for name, _ in self.drawers)]
