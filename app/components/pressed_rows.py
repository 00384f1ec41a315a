"""The base of lists and tables whose rows can be pressed."""

from collections.abc import Callable
from typing import ClassVar

import param

from .component import Component, Message
from .messages import AnyMessage


class PressedRow(AnyMessage):
    """A row was pressed."""

    row: int


class PressedRows(Component):
    """Labeled rows; `on_press` callbacks get the index of the row that was pressed."""

    rows = param.List(default=[], item_type=dict, doc="Each row, with its `label`.")

    hears: ClassVar = {"press": PressedRow}

    def __init__(self, **params: object) -> None:
        super().__init__(**params)
        self._on_press: list[Callable[[int], None]] = []

    def on_press(self, callback: Callable[[int], None]) -> None:
        """Register a callback for the index of each pressed row."""
        self._on_press.append(callback)

    @property
    def places(self) -> tuple[str, ...]:
        """See `Component.places`: the label of each row."""
        return tuple(row["label"] for row in self.rows)

    def hear(self, message: Message) -> None:
        """Handle a pressed row; unknown rows are ignored."""
        row = message["row"]
        if 0 <= row < len(self.rows) and not self.disabled:
            for callback in self._on_press:
                callback(row)
