"""Reports the open room, view and drawer to style sheets, and the page's theme to Python."""

from typing import Any, ClassVar

import param

from ..component import Component
from ..order import Order


class OpenView(Component):
    """An invisible component that sets attributes of the page's root for the page's style sheet.

    Also keeps the scroll position of each view, switches between picture and formulas by the
    key F, and opens the formulas of a part of the picture on request.
    """

    room = param.String(default="", doc="The open room.")

    view = param.String(default="", doc="The view in the center.")

    drawer = param.String(default="", doc="The content of the drawer; empty while it is closed.")

    form = param.String(default="", doc="The form in which Explore shows the model.")

    forms = param.List(default=[], item_type=str, doc="The values that a browser may set.")

    dark = param.Boolean(default=False, doc="Whether the theme is dark.")

    sentences = param.Integer(default=2, bounds=(1, 2), doc="The number of sentences of the model.")

    unit = param.String(default="word", doc="The name of one token of the model.")

    title = param.String(default="", doc="The title of the window; empty: unchanged.")

    accepts = ("form", "dark")

    orders: ClassVar = dict.fromkeys(accepts, Order.LOOK)

    sheets = ()

    def offers(self, name: str, raw: Any) -> bool:
        """Return whether a browser may set a value; see `Component.offers`."""
        return name != "form" or raw in self.forms
