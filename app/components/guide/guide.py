"""What the page is, in one line, and some things to try, each done by one press."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import param

from ..component import Component, Message, module, styles

HERE = Path(__file__).parent


class Guide(Component):
    """A line of text and a few buttons; it can be put away, and be brought back.

    `things` are pairs of a name and what the button says; `on_press` hears of the names.
    """

    value = param.String(default="", doc="The line.")

    things = param.List(default=[], item_type=tuple, doc="Pairs of a name and a label, in order.")

    _esm = module(HERE / "guide.js")
    _stylesheets = styles(HERE / "guide.css")

    def __init__(self, **params: object) -> None:
        super().__init__(**params)
        self._on_press: list[Callable[[str], None]] = []

    def on_press(self, callback: Callable[[str], None]) -> None:
        """Call this with the name of each thing that is tried."""
        self._on_press.append(callback)

    def receive(self, message: Message) -> None:
        """A button was pressed."""
        name = message.get("name")
        if message.get("type") != "press" or self.disabled:
            return
        if any(name == known for known, _ in self.things):
            for callback in self._on_press:
                callback(str(name))
