"""The line of the frame in which the model of the page is trained."""

from __future__ import annotations

from pathlib import Path

import param

from ..buttons import Buttons
from ..component import module, styles

HERE = Path(__file__).parent
PRESSES = ("play", "pause", "step", "reset", "check")


class TrainingBar(Buttons):
    """Train, step, reset and check; how far it is, and how many held-out pairs come out right.

    `shown` has `state` (one of `learning.session.TrainingState`), `train` (what the first button
    says while nothing runs), `step`, `steps`, `facts` (a line beside the progress), `message` and
    `tone` (`good`, `bad` or empty, of the message), and `reset` (what that button does, in words).

    Buttons are heard by `on_press`.
    """

    shown = param.Dict(default={}, doc="All that is shown.")

    presses = PRESSES

    _esm = module(HERE / "training.js")
    _stylesheets = styles(HERE / "training.css")
