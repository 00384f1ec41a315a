"""Declares the figure of positions as clocks: a hand for each pair of sine and cosine."""

from typing import Annotated, ClassVar, Literal

import param

from ...components.messages import AnyMessage
from ...components.order import Order
from ...plain_data import Within
from ..kit.figure import Figure
from ..kit.messages import DragMessage


class Move(DragMessage):
    """Move the position, or the shift."""

    what: Literal["position", "shift"]
    value: Annotated[int, Within(-20_000, 20_000)]


class Clocks(Figure):
    """Dials with two hands each, for a position and for the position after a shift."""

    data = param.Dict(default={}, doc="See `ClocksData` in clocks.js.")

    hears: ClassVar = {"move": Move, "release": AnyMessage}

    orders: ClassVar = {"move": Order.OF_SHOWN, "release": Order.ALWAYS}

    sheets = ("../kit/idea.css", "clocks.css")
