"""The controls of the Learn view: the player, the timeline, and the door for pairs of one's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import param

from ..component import Component, Message, styles
from ..esm import esm
from ..upload import Opens

HERE = Path(__file__).parent
PRESSES = ("play", "step", "stop", "reset", "explore", "save")


class Player(Opens):
    """Buttons, progress and what the model says now.

    `shown` has `state`, `step`, `steps`, `facts` (a line beside the progress), `message`, `tone`
    (`good`, `bad` or empty, of the message), `asked` (the example), `answer` (the right one),
    `letters` (pairs of a letter and whether it is right), `at` (which step the letters are of),
    `options` (examples to choose from; empty if one is typed), `chosen`, and `problem` (a
    sentence about the example).

    `value` is the example, as it was typed or chosen. Buttons are heard by `on_press`;
    `on_open(files, heads)` takes a saved run.
    """

    value = param.String(default="", doc="The example that was typed or chosen.", precedence=-1)

    shown = param.Dict(default={}, doc="All that is shown.")

    _esm = esm(HERE / "player.js")
    _stylesheets = styles(HERE / "learn.css")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._on_press: list[Callable[[str], None]] = []

    def on_press(self, callback: Callable[[str], None]) -> None:
        """Call this with the name of each button that is pressed, one of `PRESSES`."""
        self._on_press.append(callback)

    def _on_press_message(self, data: dict[str, Any]) -> None:
        if data.get("name") in PRESSES and not self.disabled:
            for callback in self._on_press:
                callback(data["name"])

    def _on_example_message(self, data: dict[str, Any]) -> None:
        text = data.get("text")
        if isinstance(text, str) and not self.disabled:
            with param.parameterized.discard_events(self):
                self.value = text
            self.param.trigger("value")  # the same example may be asked for once more

    def hand_out(self, name: str, data: bytes) -> None:
        """Let the browser save a file."""
        self.send({"type": "file", "name": name, "bytes": data})


class Timeline(Component):
    """Which step is drawn (`value`; None is the present one), and which plane of which matrix."""

    value = param.Integer(default=None, allow_None=True, doc="The step that is shown; None: now.")
    steps = param.List(default=[], doc="Steps that can be gone back to, in order.")
    now = param.Integer(default=0, doc="The present step.")
    planes = param.List(default=[], doc="Pairs of a name and a label.")
    plane = param.String(default="value", doc="The name of the one that is shown.")
    parameters = param.List(default=[], doc="Paths of the matrices to choose from.")
    parameter = param.String(default="", doc="The one that is shown.")

    accepts = ("value", "plane", "parameter")

    _esm = esm(HERE / "timeline.js")
    _stylesheets = styles(HERE / "learn.css")

    def accept(self, name: str, raw: Any) -> None:
        """See `Component.accept`: only what there is to choose from."""
        known = {
            "value": (None, *self.steps),
            "plane": [name for name, _ in self.planes],
            "parameter": self.parameters,
        }
        is_step = raw is None or type(raw) is int
        if raw in known.get(name, ()) and (name != "value" or is_step):
            super().accept(name, raw)


class OwnPairs(Component):
    """A text area and a file for pairs; `value` is their text, None stands for the dates.

    Pairs are read beside the page: what is wrong with them is said a moment later, in `problem`.
    """

    value = param.String(default=None, allow_None=True, doc="The text.", precedence=-1)
    note = param.String(default="", doc="What is being learned now.")
    own = param.Boolean(default=False, doc="Whether pairs of one's own are in use.")

    _esm = esm(HERE / "pairs.js")
    _stylesheets = styles(HERE / "learn.css")

    def receive(self, message: Message) -> None:
        """Pairs were typed, opened, or given up."""
        text = message.get("text")
        is_text = text is None or isinstance(text, str)
        if message.get("type") == "pairs" and is_text and not self.disabled:
            with param.parameterized.discard_events(self):
                self.value = text
            self.param.trigger("value")  # the same text may be tried once more
