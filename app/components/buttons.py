"""A base class for controls made of named buttons."""

from collections.abc import Callable, Collection
from typing import Any, ClassVar

from .component import Component, Message
from .messages import AnyMessage


class Pressed(AnyMessage):
    """A button was pressed."""

    name: str


class Buttons(Component):
    """A group of named buttons; `on_press` callbacks get the name of the pressed button."""

    presses: ClassVar[tuple[str, ...]] = ()

    hears: ClassVar = {"press": Pressed}

    @property
    def buttons(self) -> Collection[str]:
        """The names of the current buttons; by default the constant ``presses``."""
        return self.presses

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._on_press: list[Callable[[str], None]] = []

    def on_press(self, callback: Callable[[str], None]) -> None:
        """Register a callback for the name of each button that is pressed."""
        self._on_press.append(callback)

    def hear(self, message: Message) -> None:
        """Handle a press; unknown buttons are ignored."""
        name = message["name"]
        if name in self.buttons and not self.disabled:
            for callback in self._on_press:
                callback(name)
