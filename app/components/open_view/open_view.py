"""Tells the page's layout which room, view and drawer are open, and Python the page's theme."""

from typing import Any, ClassVar

import param

from ..component import Component
from ..order import Order


class OpenView(Component):
    """Has no appearance of its own: the page's style sheet reads what it writes on the root.

    It also keeps the scroll position of each view, switches between picture and formulas at the
    key F, and goes to the formulas when a part of the picture asks for its own.
    """

    room = param.String(default="", doc="The open room.")

    view = param.String(default="", doc="What stands in its center.")

    drawer = param.String(default="", doc="What the drawer holds; empty while it is closed.")

    form = param.String(default="", doc="What Explore shows of the model.")

    forms = param.List(default=[], item_type=str, doc="What a browser may set `form` to.")

    dark = param.Boolean(default=False, doc="Whether the page is shown in the dark.")

    title = param.String(default="", doc="The title of the window; empty: as it is.")

    accepts = ("form", "dark")

    orders: ClassVar = dict.fromkeys(accepts, Order.LOOK)

    sheets = ()

    def offers(self, name: str, raw: Any) -> bool:
        """See `Component.offers`."""
        return name != "form" or raw in self.forms
