"""The place in a landscape: two sliders, and the chart itself, which can be pressed."""

from collections.abc import Hashable
from typing import ClassVar

import param

from ...components.messages import AnyMessage
from ...components.order import Order
from ..kit.figure import Figure
from ..kit.messages import MoveMessage


class LandscapePlace(Figure):
    """Moves the place in a chart drawn by Bokeh."""

    value = param.List(default=[0.0, 0.0], doc="Where the model is: across and up.")

    chart = param.String(default="", doc="The name of the chart that is pressed.")

    names = param.List(default=["", ""], doc="What goes across, and what goes up.")

    low = param.List(default=[0.0, 0.0], doc="The least that is drawn across and up.")

    high = param.List(default=[1.0, 1.0], doc="The most.")

    least = param.List(default=[0.0, 0.0], doc="The lowest place.")

    visited = param.List(default=[], item_type=str, doc="The losses of the places visited.")

    is_way = param.Boolean(
        default=False, doc="Whether a press goes to the nearest step of a run, and to no number."
    )

    can_move = param.Boolean(default=True, doc="Whether the place can be moved.")

    is_moved = param.Boolean(default=False, doc="Whether it was moved.")

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
