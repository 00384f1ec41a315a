"""The controls of the Learn view: the player, the timeline, and the door for pairs of one's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import param

from ..component import Component, styles
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

    `on_press(name)` hears of the buttons, `on_example(text)` of what was typed or chosen;
    `on_open(files, heads)` takes a saved run.
    """

    shown = param.Dict(default={}, doc="All that is shown.")

    _esm = esm(HERE / "player.js")
    _stylesheets = styles(HERE / "learn.css")

    def __init__(
        self,
        *,
        on_press: Callable[[str], None],
        on_example: Callable[[str], None],
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self._on_press = on_press
        self._on_example = on_example

    def _on_press_message(self, data: dict[str, Any]) -> None:
        if data.get("name") in PRESSES:
            self._on_press(data["name"])

    def _on_example_message(self, data: dict[str, Any]) -> None:
        if isinstance(data.get("text"), str):
            self._on_example(data["text"])

    def hand_out(self, name: str, data: bytes) -> None:
        """Let the browser save a file."""
        self.send({"type": "file", "name": name, "bytes": data})


class Timeline(Component):
    """Which step is drawn, and which plane of which matrix.

    `on_choose(name, value)`: `step` (None for the present one), `plane`, `parameter`.
    """

    steps = param.List(default=[], doc="Steps that can be gone back to, in order.")
    step = param.Integer(default=None, allow_None=True, doc="The one that is shown; None: now.")
    now = param.Integer(default=0, doc="The present step.")
    planes = param.List(default=[], doc="Pairs of a name and a label.")
    plane = param.String(default="value", doc="The name of the one that is shown.")
    parameters = param.List(default=[], doc="Paths of the matrices to choose from.")
    parameter = param.String(default="", doc="The one that is shown.")

    _esm = esm(HERE / "timeline.js")
    _stylesheets = styles(HERE / "learn.css")

    def __init__(self, *, on_choose: Callable[[str, Any], None], **params: Any) -> None:
        super().__init__(**params)
        self._on_choose = on_choose

    def receive(self, data: dict[str, Any]) -> None:
        name, value = data.get("name"), data.get("value")
        known = {
            "step": value is None or value in self.steps,
            "plane": value in [name for name, _ in self.planes],
            "parameter": value in self.parameters,
        }
        if data.get("type") == "choose" and known.get(str(name), False):
            self._on_choose(str(name), value)


class OwnPairs(Component):
    """A text area and a file for pairs; `on_pairs(text)` with None goes back to the dates."""

    note = param.String(default="", doc="What is being learned now.")
    problem = param.String(default="", doc="What is wrong with the pairs, with line and character.")
    own = param.Boolean(default=False, doc="Whether pairs of one's own are in use.")

    _esm = esm(HERE / "pairs.js")
    _stylesheets = styles(HERE / "learn.css")

    def __init__(self, *, on_pairs: Callable[[str | None], None], **params: Any) -> None:
        super().__init__(**params)
        self._on_pairs = on_pairs

    def receive(self, data: dict[str, Any]) -> None:
        text = data.get("text")
        if data.get("type") == "pairs" and (text is None or isinstance(text, str)):
            self._on_pairs(text)
