"""The line of the frame in which the model of the page is trained."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import param

from ..component import Component, Message, module, styles

HERE = Path(__file__).parent
PRESSES = ("play", "pause", "step", "reset", "check")


class TrainingBar(Component):
    """Train, step, reset and check; how far it is, and how many held-out pairs come out right.

    `shown` has `state` (one of `learning.session.TrainingState`), `train` (what the first button
    says while nothing runs), `step`, `steps`, `facts` (a line beside the progress), `message` and
    `tone` (`good`, `bad` or empty, of the message), and `reset` (what that button does, in words).

    Buttons are heard by `on_press`.
    """

    shown = param.Dict(default={}, doc="All that is shown.")

    _esm = module(HERE / "training.js")
    _stylesheets = styles(HERE / "training.css")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._on_press: list[Callable[[str], None]] = []

    def on_press(self, callback: Callable[[str], None]) -> None:
        """Call this with the name of each button that is pressed, one of `PRESSES`."""
        self._on_press.append(callback)

    def receive(self, message: Message) -> None:
        """A button was pressed."""
        name = message.get("name")
        if message.get("type") == "press" and name in PRESSES and not self.disabled:
            for callback in self._on_press:
                callback(name)
