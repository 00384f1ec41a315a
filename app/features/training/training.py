"""Declares the line with the training controls of the page's model."""

from typing import Any, ClassVar

import param

from ...components.buttons import Buttons
from ...components.order import Order
from ...components.steps import Steps

PRESSES = ("play", "pause", "step", "reset", "check")


class TrainingBar(Steps, Buttons):
    """Buttons to train, step, reset and check; the timeline of the run, and its result.

    `shown` has `state` (a `learning.session.TrainingState`), `train` (the first button's label
    while no run is active), `step`, `steps`, `facts` (a line next to the timeline), `message` and
    `tone` (`good`, `bad` or empty, of the message), and `step_help` and `reset` (the tooltips of
    those buttons).
    """

    shown = param.Dict(default={}, doc="The state of the bar; see training.js.")

    pace = param.String(default="", doc="The pace at which a training run is shown.")
    paces = param.List(default=[], doc="Pairs of a pace and its label.")
    pace_help = param.String(default="", doc="An explanation of the paces.")

    accepts = ("pace",)

    hears: ClassVar = {**Buttons.hears, **Steps.hears}

    orders: ClassVar = {"pace": Order.LOOK}

    presses = PRESSES

    def offers(self, name: str, raw: Any) -> bool:  # noqa: ARG002 -- the only property
        return raw in [pace for pace, _ in self.paces]
