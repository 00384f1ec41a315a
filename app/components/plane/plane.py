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
    """A badge with a way back to the values, and a few cells, each a button that goes there.

    `on_back` hears of the way back. `on_go` hears that one of the cells is gone to, before
    `window.tinkerformer` is asked to show it.
    """

    value = param.String(default="", doc="What is shown in place of values.")

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
        """Call this when the values are wanted again."""
        self._heard["back"].append(callback)

    def on_go(self, callback: Callable[[], None]) -> None:
        """Call this when a cell is to be shown."""
        self._heard["go"].append(callback)

    def hear(self, message: Message) -> None:
        """A button was pressed."""
        if not self.disabled:
            for callback in self._heard[message["type"]]:
                callback()
