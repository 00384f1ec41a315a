"""Declares the figure of layer norm: a row on number lines, one for each step."""

from typing import Annotated, ClassVar, Literal

import param

from ...components.messages import AnyMessage
from ...components.order import Order
from ...plain_data import Within
from ..kit.figure import Figure
from ..kit.messages import DragMessage


class MoveDot(DragMessage):
    """Move a number on one of the lines."""

    line: Annotated[int, Within(0, 4)]
    cell: Annotated[int, Within(0, 1_000_000)]
    value: Annotated[float, Within(-1e6, 1e6)]


class MoveChoice(AnyMessage):
    """Set the shown step, or a change of the row before the norm."""

    what: Literal["step", "constant", "factor"]
    value: Annotated[float, Within(-1e6, 1e6)]


class Normalizing(Figure):
    """Five number lines, from a row to its layer norm, with draggable dots."""

    data = param.Dict(default={}, doc="See `NormData` in normalizing.js.")

    hears: ClassVar = {"dot": MoveDot, "choice": MoveChoice, "release": AnyMessage}

    orders: ClassVar = {"choice": Order.LOOK, "release": Order.ALWAYS}

    sheets = ("../kit/idea.css", "normalizing.css")
