"""Declares the figure of softmax at a temperature: bars of logits and of the resulting shares."""

from typing import Annotated, ClassVar

import param

from ...components.messages import AnyMessage
from ...components.order import Order
from ...plain_data import Within
from ..kit.figure import Figure
from ..kit.messages import DragMessage


class SetTemperature(AnyMessage):
    """Divide the logits by a number; None for the model's own temperature."""

    value: Annotated[float, Within(0, 1000)] | None


class SetLogit(DragMessage):
    """Drag the end of a logit's bar."""

    column: Annotated[int, Within(0, 10_000_000)]
    value: Annotated[float, Within(-1e6, 1e6)]


class Temperature(Figure):
    """Two bars for each of several words or keys, below a slider."""

    data = param.Dict(default={}, doc="See `HeatData` in temperature.js.")

    hears: ClassVar = {"temperature": SetTemperature, "logit": SetLogit, "release": AnyMessage}

    orders: ClassVar = {"temperature": Order.LOOK, "release": Order.ALWAYS}

    sheets = ("../kit/idea.css", "../kit/bars.css", "temperature.css")
