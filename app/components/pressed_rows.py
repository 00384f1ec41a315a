"""The base of lists and tables whose rows can be pressed."""

from typing import ClassVar

import param

from .callbacks import Callbacks
from .component import Component, Message
from .messages import AnyMessage


class PressedRow(AnyMessage):
    """A row was pressed."""

    row: int


class PressedRows(Component):
    """Labeled rows; `on_press` callbacks receive the index of the pressed row."""

    rows = param.List(default=[], item_type=dict, doc="The rows, each with its `label`.")

    on_press = Callbacks[[int]]()  # the index of the pressed row

    hears: ClassVar = {"press": PressedRow}

    @property
    def places(self) -> tuple[str, ...]:
        """The labels of the rows; see `Component.places`."""
        return tuple(row["label"] for row in self.rows)

    def hear(self, message: Message) -> None:
        """Handle a pressed row; unknown rows are ignored."""
        row = message["row"]
        if 0 <= row < len(self.rows):
            self.on_press.call(row)
