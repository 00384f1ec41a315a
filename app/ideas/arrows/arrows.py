"""Declares the figure of queries and keys as arrows, and of weighted values added tip to tail."""

from collections.abc import Hashable
from typing import ClassVar

import param

from ...components.component import Message
from ...components.messages import AnyMessage
from ...components.order import Order
from ..kit.figure import Figure
from ..kit.messages import IndexMessage, MoveMessage


class Arrows(Figure):
    """The arrows of one attention row: index 0 is the query, index 1 the first key."""

    value = param.Integer(default=0, doc="The index of the chosen key, from 0.")

    of = param.String(default="", doc="The head and row that are drawn.")

    reader = param.String(default="", doc="The word of the query.")

    names = param.List(default=[], doc="The words of the keys.")

    query = param.List(default=[0.0, 0.0], doc="The tip of the query: x and y.")

    keys = param.List(default=[], doc="The tips of the keys.")

    rows = param.List(
        default=[],
        doc="For each key: q·k, score and weight; the score is None if the key is masked.",
    )

    context = param.List(default=[0.0, 0.0], doc="The tip of the context.")

    sums = param.List(default=[], doc="The partial sums of the weighted values, from 0.")

    axes = param.List(default=["", ""], doc="The titles of the horizontal and the vertical axis.")

    onward = param.String(default="", doc="The operation that reads the context.")

    can_move = param.Boolean(default=True, doc="Whether arrows can be dragged.")

    is_moved = param.Boolean(default=False, doc="Whether the user moved an arrow of this row.")

    hears: ClassVar = {
        "move": MoveMessage,
        "release": AnyMessage,
        "restore": AnyMessage,
        "choose": IndexMessage,
    }

    orders: ClassVar = {"choose": Order.LOOK, "release": Order.ALWAYS}

    sheets = ("../kit/plane_figure.css", "arrows.css")

    @property
    def places(self) -> Hashable:
        return self.of, tuple(self.names)

    def has(self, message: Message) -> bool:
        """See `Figure.has`; in a move, index 0 is the query."""
        index: int = message.get("index", 0)
        most: int = len(self.names) + (message["type"] == "move")
        return index < most
