"""The line with the training controls of the page's model."""

from __future__ import annotations

from pathlib import Path

import param

from ..buttons import Buttons
from ..component import module, styles

HERE = Path(__file__).parent
PRESSES = ("play", "pause", "step", "reset", "check")


class TrainingBar(Buttons):
    """Buttons to train, step, reset and check; the progress, and the accuracy on held-out pairs.

    `shown` has `state` (a `learning.session.TrainingState`), `train` (the first button's label
    while nothing runs), `step`, `steps`, `facts` (a line next to the progress), `message` and
    `tone` (`good`, `bad` or empty, of the message), and `reset` (what that button does, in words).

    `on_press` callbacks get the names of the buttons.
    """

    shown = param.Dict(default={}, doc="All that is shown.")

    presses = PRESSES

    _esm = module(HERE / "training.js")
    _stylesheets = styles(HERE / "training.css")
