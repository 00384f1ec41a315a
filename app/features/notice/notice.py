"""Declares a sentence over the lower edge of the page, optionally with a button."""

from collections.abc import Callable
from typing import Any, ClassVar

import param

from ...components.component import Component, Message
from ...components.messages import AnyMessage
from ...components.order import Order


class PressedOf(AnyMessage):
    """The button was pressed, for the notice with this number."""

    number: int


class Notice(Component):
    """Shows one sentence at a time.

    A sentence without a button disappears at the user's next action. A sentence with a button stays
    until the user presses or closes it, or the text becomes empty.
    """

    said = param.Dict(default={}, doc="`text`, `button` (its label, or empty) and `number`.")

    hears: ClassVar = {"press": PressedOf}

    orders: ClassVar = {"press": Order.ALWAYS}

    def __init__(self, *, on_press: Callable[[], None], **params: Any) -> None:
        super().__init__(**params)
        self._on_press = on_press

    def say(self, text: str, button: str = "") -> None:
        """Show a sentence, even if it is the same as before; an empty text hides the notice."""
        number = self.said.get("number", 0) + 1
        self.said = {"text": text, "button": button, "number": number}

    def hear(self, message: Message) -> None:
        """Handle a press of the button, if it belongs to the current sentence."""
        if message["number"] == self.said.get("number") and self.said.get("button"):
            self._on_press()
