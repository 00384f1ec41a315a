"""A row of tabs; those that do not fit are in a menu."""

from typing import ClassVar

import param

from ..callbacks import Callbacks
from ..choice import Choice
from ..component import Message
from ..messages import AnyMessage
from ..order import Order


class Tabs(Choice):
    """A row of tabs; tabs that do not fit are moved to a More menu, the last tabs first.

    A press on the chosen tab calls the `on_again` callbacks.
    """

    tabs = param.List(default=[], doc="Pairs of a name and a label, in order.")

    rare = param.List(
        default=[], item_type=str, doc="Names of the tabs that are under More at every width."
    )

    more = param.String(default="More", doc="The label of the menu More.")

    busy = param.String(doc="The name of a tab that works also while another is open.")

    of = param.String(default="views", doc="The kind of tabs, as in `data-<of>-width`.")

    on_again = Callbacks[[]]()

    hears: ClassVar = {"again": AnyMessage}

    orders: ClassVar = {"value": Order.LOOK, "again": Order.LOOK}

    def hear(self, _message: Message) -> None:
        """Handle a press on the chosen tab."""
        self.on_again.call()

    def names(self) -> list[str]:
        """Return the names of the tabs."""
        return [name for name, _ in self.tabs]
