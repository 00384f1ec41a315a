"""Queries and keys as arrows from one point, and weighted values added tip to tail."""

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

    value = param.Integer(default=0, doc="The index of the key that is looked at, from 0.")

    of = param.String(default="", doc="Which head and row is drawn.")

    reader = param.String(default="", doc="The word of the query.")

    names = param.List(default=[], doc="The words of the keys.")

    query = param.List(default=[0.0, 0.0], doc="The tip of the query: across and up.")

    keys = param.List(default=[], doc="The tips of the keys.")

    rows = param.List(
        default=[], doc="Of each key: q·k, score, weight; the score is None if it is masked."
    )

    context = param.List(default=[0.0, 0.0], doc="The tip of the context.")

    sums = param.List(default=[], doc="The weighted values added one after the other, from 0.")

    axes = param.List(default=["", ""], doc="What goes across among the keys, and what goes up.")

    onward = param.String(default="", doc="Where the context goes.")

    can_move = param.Boolean(default=True, doc="Whether arrows can be dragged.")

    is_moved = param.Boolean(default=False, doc="Whether an arrow of this row was moved.")

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
