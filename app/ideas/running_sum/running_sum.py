"""Declares the figure of a logit as a running sum: a bar for each step along the stream."""

from typing import Annotated, ClassVar

import param

from ...components.messages import AnyMessage
from ...components.order import Order
from ...plain_data import Within
from ..kit.figure import Figure
from ..kit.messages import DragMessage


class Unfold(AnyMessage):
    """Show the parts of a step."""

    level: Annotated[int, Within(0, 10_000)]


class Pull(DragMessage):
    """Drag the end of a part's bar to a new contribution to the logit."""

    level: Annotated[int, Within(0, 10_000)]
    part: Annotated[int, Within(0, 10_000)]
    value: Annotated[float, Within(-1e6, 1e6)]


class RunningSum(Figure):
    """Bars that add up to a logit, from the embeddings to the output; one step shows its parts."""

    data = param.Dict(default={}, doc="See `SumData` in running_sum.js.")

    hears: ClassVar = {"unfold": Unfold, "pull": Pull, "release": AnyMessage}

    orders: ClassVar = {"unfold": Order.LOOK, "release": Order.ALWAYS}

    sheets = ("../kit/idea.css", "../kit/bars.css", "running_sum.css")
