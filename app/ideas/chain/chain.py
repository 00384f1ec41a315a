"""Declares the figure of the chain rule: the factors and product of each term, and the chain."""

from collections.abc import Hashable
from typing import ClassVar

import param

from ...components.messages import AnyMessage
from ...components.order import Order
from ..kit.figure import Figure
from ..kit.messages import DragMessage, IndexMessage, Number


class SetNumber(DragMessage):
    """Drag the shown number to a value."""

    value: Number


class ChainRule(Figure):
    """The numbers that depend on a number, the factors of the chain rule, and their products."""

    data = param.Dict(default={}, doc="See `ChainData` in chain.js.")

    hears: ClassVar = {
        "onward": IndexMessage,
        "back": IndexMessage,
        "link": IndexMessage,
        "value": SetNumber,
        "release": AnyMessage,
    }

    orders: ClassVar = {
        **dict.fromkeys(("onward", "back", "link"), Order.LOOK),
        "release": Order.ALWAYS,
    }

    sheets = ("../kit/idea.css", "../kit/bars.css", "chain.css")

    @property
    def places(self) -> Hashable:
        links = self.data.get("links", [])
        return self.data.get("at"), tuple((link["label"], link["place"]) for link in links)
