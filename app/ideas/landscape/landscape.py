"""Declares the controls of a landscape: two sliders, and the chart, which can be pressed."""

from collections.abc import Hashable
from typing import ClassVar

import param

from ...components.messages import AnyMessage
from ...components.order import Order
from ..kit.figure import Figure
from ..kit.messages import MoveMessage


class LandscapePlace(Figure):
    """Moves the place in a chart drawn by Bokeh."""

    value = param.List(default=[0.0, 0.0], doc="The place of the model: x and y.")

    chart = param.String(default="", doc="The name of the chart that the user clicks.")

    names = param.List(default=["", ""], doc="The titles of the horizontal and the vertical axis.")

    low = param.List(default=[0.0, 0.0], doc="The lowest x and y of the chart.")

    high = param.List(default=[1.0, 1.0], doc="The highest x and y of the chart.")

    least = param.List(default=[0.0, 0.0], doc="The place with the lowest loss.")

    visited = param.List(default=[], item_type=str, doc="The losses of the places visited.")

    is_way = param.Boolean(
        default=False, doc="Whether a click chooses the nearest step of a run, not a number."
    )

    can_move = param.Boolean(default=True, doc="Whether the place can be moved.")

    is_moved = param.Boolean(default=False, doc="Whether the user moved the place.")

    hears: ClassVar = {
        "move": MoveMessage,
        "release": AnyMessage,
        "restore": AnyMessage,
        "step": AnyMessage,
    }

    orders: ClassVar = {"release": Order.ALWAYS}

    @property
    def places(self) -> Hashable:
        return tuple(self.names)
