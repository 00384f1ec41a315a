"""A row of tabs, of which those that do not fit stand in a menu."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import param

from ..choice import Choice
from ..component import module, styles
from ..order import Order

HERE = Path(__file__).parent


class Tabs(Choice):
    """A row of tabs; those that do not fit are moved to a More menu, the last ones first."""

    tabs = param.List(default=[], doc="Pairs of a name and a label, in order.")

    rare = param.List(
        default=[], item_type=str, doc="Names of those that stand under More at any width."
    )

    more = param.String(default="More", doc="The label of that menu.")

    of = param.String(default="views", doc="What the tabs are: `data-<of>-width` is their width.")

    orders: ClassVar = {"value": Order.LOOK}

    _esm = module(HERE / "tabs.js")
    _stylesheets = styles(HERE / "tabs.css")

    def names(self) -> list[str]:
        """See `Choice.names`."""
        return [name for name, _ in self.tabs]
