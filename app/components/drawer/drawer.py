"""The buttons that open and close the drawer below the model."""

from typing import ClassVar

import param

from ..choice import Choice
from ..order import Order


class Drawer(Choice):
    """A button for each content of the drawer; a second press closes the drawer."""

    drawers = param.List(default=[], doc="Pairs of a name and a label, in order.")

    about = param.Dict(default={}, doc="Name -> the tooltip, by which *Go to …* finds it, too.")

    orders: ClassVar = {"value": Order.LOOK}

    def names(self) -> list[str]:
        """Return the names of the contents, and the empty name, which closes the drawer."""
        return ["", *(name for name, _ in self.drawers)]
