"""A base class for controls made of named buttons."""

from collections.abc import Collection
from typing import ClassVar

from .callbacks import Callbacks
from .component import Component, Message
from .messages import AnyMessage


class Pressed(AnyMessage):
    """A button was pressed."""

    name: str


class Buttons(Component):
    """A group of named buttons; `on_press` callbacks receive the name of the pressed button."""

    presses: ClassVar[tuple[str, ...]] = ()

    on_press = Callbacks[[str]]()  # the name of the pressed button

    hears: ClassVar = {"press": Pressed}

    @property
    def buttons(self) -> Collection[str]:
        """The names of the current buttons; by default the constant ``presses``."""
        return self.presses

    def hear(self, message: Message) -> None:
        """Handle a press; unknown buttons are ignored."""
        name = message["name"]
        if name in self.buttons:
            self.on_press.call(name)
