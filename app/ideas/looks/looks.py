"""The table of who may look at whom, which grows by a row with each written word."""

from typing import Annotated, ClassVar

import param

from ...components.messages import AnyMessage
from ...components.order import Order
from ...plain_data import Within
from ..kit.figure import Figure
from ..kit.messages import DragMessage


class ShowRows(AnyMessage):
    """Show the first rows."""

    count: Annotated[int, Within(1, 10_000)]


class SetWeight(DragMessage):
    """Drag a weight to a new value."""

    row: Annotated[int, Within(0, 10_000)]
    column: Annotated[int, Within(0, 10_000)]
    value: Annotated[float, Within(-1e6, 1e6)]


class Looks(Figure):
    """A table of attention weights with a button that shows its rows one after the other."""

    data = param.Dict(default={}, doc="See `LooksData` in looks.js.")

    hears: ClassVar = {"rows": ShowRows, "weight": SetWeight, "release": AnyMessage}

    orders: ClassVar = {"rows": Order.LOOK, "release": Order.ALWAYS}

    sheets = ("../kit/idea.css", "looks.css")
