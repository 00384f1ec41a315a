"""A sentence over the lower edge of the page, perhaps with a button."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import param

from ..component import Component, Message, module, styles
from ..messages import AnyMessage
from ..order import Order

HERE = Path(__file__).parent


class PressedOf(AnyMessage):
    """The button was pressed, of the sentence with this number."""

    number: int


class Notice(Component):
    """Says one sentence at a time.

    One without a button goes with the next thing the user does; one with a button stays until it is
    pressed or closed, or until there is nothing more to say.
    """

    said = param.Dict(default={}, doc="`text`, `button` (its label, or empty) and `number`.")

    hears: ClassVar = {"press": PressedOf}

    orders: ClassVar = {"press": Order.ALWAYS}

    _esm = module(HERE / "notice.js")
    _stylesheets = styles(HERE / "notice.css")

    def __init__(self, *, on_press: Callable[[], None], **params: Any) -> None:
        super().__init__(**params)
        self._on_press = on_press

    def say(self, text: str, button: str = "") -> None:
        """Say it, also if it is the same again; an empty text says nothing more."""
        number = self.said.get("number", 0) + 1
        self.said = {"text": text, "button": button, "number": number}

    def hear(self, message: Message) -> None:
        """The button was pressed: only that of what is said now counts."""
        is_now = message["number"] == self.said.get("number") and self.said.get("button")
        if is_now and not self.disabled:
            self._on_press()
