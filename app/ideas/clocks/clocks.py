"""Positions as clocks: a hand for each pair of sine and cosine."""

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
    """Dials whose hands stand where a position turns them, and a second time after a shift.

    `data` has `speeds`, by which angle each hand turns from a position to the next, `pairs`, which
    ones they are of `all`, `single`, whether the last sine of all has no cosine, `position`,
    `shift`, `last`, the last position, `tokens`, a label and a position of each, `turns`, by which
    angle the shift turns each hand, as text, and the `unit` that stands at a position.
    """

    data = param.Dict(default={}, doc="What is shown.")

    hears: ClassVar = {"move": Move, "release": AnyMessage}

    orders: ClassVar = {"move": Order.OF_SHOWN, "release": Order.ALWAYS}

    sheets = ("../kit/idea.css", "clocks.css")
