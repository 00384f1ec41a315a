"""The line that says that the board shows gradients or changes, and where they are largest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import param

from ..component import Component, Message, module, styles
from ..messages import AnyMessage
from ..order import Order

HERE = Path(__file__).parent


class Plane(Component):
    """A badge that leads back to the values, and buttons that lead to a few large cells.

    The badge calls the `on_back` callbacks. The buttons call the `on_go` callbacks, then ask
    `window.tinkerformer` to show the cell.
    """

    value = param.String(default="", doc="What is shown in place of values.")

    meaning = param.String(default="", doc="What the colors of its numbers mean.")

    cells = param.List(
        default=[],
        item_type=dict,
        doc="`what` it is the largest of, `path`, `i`, `j`, `name`, `place`, `where`, `value`.",
    )

    nothing = param.String(default="", doc="What is said where there are no cells.")

    hears: ClassVar = {"back": AnyMessage, "go": AnyMessage}

    orders: ClassVar = {"back": Order.ALWAYS, "go": Order.LOOK}

    _esm = module(HERE / "plane.js")
    _stylesheets = styles(HERE / "plane.css")

    def __init__(self, **params: object) -> None:
        super().__init__(**params)
        self._heard: dict[str, list[Callable[[], None]]] = {"back": [], "go": []}

    def on_back(self, callback: Callable[[], None]) -> None:
        """Register a callback for the return to the values."""
        self._heard["back"].append(callback)

    def on_go(self, callback: Callable[[], None]) -> None:
        """Register a callback for a cell that is about to be shown."""
        self._heard["go"].append(callback)

    def hear(self, message: Message) -> None:
        """Handle a pressed button."""
        if not self.disabled:
            for callback in self._heard[message["type"]]:
                callback()
