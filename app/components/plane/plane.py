"""The line that says that the board shows gradients or changes, and where they are largest.

Where it shows gradients it takes a step along them, too.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import param

from ..component import Component, Message, module, styles
from ..messages import AnyMessage
from ..order import Order

HERE = Path(__file__).parent


class SetRate(AnyMessage):
    """A learning rate was typed."""

    value: str


class Plane(Component):
    """A badge that leads back to the values, and buttons that lead to a few large cells.

    The badge calls the `on_back` callbacks. The buttons call the `on_go` callbacks, then ask
    `window.tinkerformer` to show the cell. A step and its undoing call `on_step` and `on_undo`, a
    typed learning rate `on_rate` with the text.
    """

    value = param.String(default="", doc="What is shown in place of values.")

    meaning = param.String(default="", doc="What the colors of its numbers mean.")

    cells = param.List(
        default=[],
        item_type=dict,
        doc="`what` it is the largest of, `path`, `i`, `j`, `name`, `place`, `where`, `value`.",
    )

    nothing = param.String(default="", doc="What is said where there are no cells.")

    rate = param.Dict(
        default=None,
        allow_None=True,
        doc="The form field of the learning rate of a step; None: no step can be taken.",
    )

    stepped = param.List(
        default=[], item_type=str, doc="What the last step did, first to the loss; none: no step."
    )

    hears: ClassVar = {
        **dict.fromkeys(("back", "go", "step", "undo"), AnyMessage),
        "rate": SetRate,
    }

    orders: ClassVar = {"back": Order.ALWAYS, "go": Order.LOOK}

    _esm = module(HERE / "plane.js")
    _stylesheets = styles(HERE / "plane.css")

    def __init__(self, **params: object) -> None:
        super().__init__(**params)
        self._heard: dict[str, list[Callable[..., None]]] = {kind: [] for kind in self.hears}

    def on_back(self, callback: Callable[[], None]) -> None:
        """Register a callback for the return to the values."""
        self._heard["back"].append(callback)

    def on_go(self, callback: Callable[[], None]) -> None:
        """Register a callback for a cell that is about to be shown."""
        self._heard["go"].append(callback)

    def on_step(self, callback: Callable[[], None]) -> None:
        """Register a callback for a step along the gradients."""
        self._heard["step"].append(callback)

    def on_undo(self, callback: Callable[[], None]) -> None:
        """Register a callback for the undoing of the last step."""
        self._heard["undo"].append(callback)

    def on_rate(self, callback: Callable[[str], None]) -> None:
        """Register a callback for a typed learning rate."""
        self._heard["rate"].append(callback)

    def hear(self, message: Message) -> None:
        """Handle a pressed button, or a typed learning rate."""
        if self.disabled:
            return
        typed: list[Any] = [message["value"]] if message["type"] == "rate" else []
        for callback in self._heard[message["type"]]:
            callback(*typed)
