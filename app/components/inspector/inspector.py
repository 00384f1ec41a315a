"""The selected number: what it is, how it came about, and the means to change it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar, Literal

import param

from ..component import Component, Message, module, styles
from ..messages import AnyMessage
from ..order import Order

HERE = Path(__file__).parent


class AskGradient(AnyMessage):
    """How the loss answers to the cell, at once or only if that is cheap."""

    now: bool


class OfRow(AnyMessage):
    """The row of an attention weight, in this head or in all of them."""

    everywhere: bool


class Silence(AnyMessage):
    """A part that the cell is of is to be silenced, or released."""

    name: str
    to: str | None


class Patch(AnyMessage):
    """What the baseline has is to stand here."""

    part: Literal["number", "row", "matrix"]


class Inspector(Component):
    """Shows one cell.

    The value itself is read from the board in the browser at every paint, so that
    it follows an oscillation at display rate; the server sends only what it alone
    knows, in `details`:

    `path`, `i`, `j`, `symbol` (TeX), `title`, `where`, `editable`, `edited`,
    `original`, `formula` (TeX), `arithmetic` (lines, without the result), `operands`,
    `note`, `pinned` (what it was in the baseline), `renormalizes`.

    All but the first three may be left out; an empty dict means that nothing
    is selected. How the loss answers to the cell is asked for by the browser when it is idle
    (`{"type": "gradient", "now": bool}`), and answered by `send_gradient`.  Changes go through
    `window.tinkerformer`, not through here.
    """

    value = param.Number(
        default=None, allow_None=True, doc="The number; another one is set there.", precedence=-1
    )

    watched = param.List(
        default=[-1, -1],
        item_type=int,
        bounds=(2, 2),
        doc="Position and word of the curve's probability; −1: what the cell matters to most.",
    )

    locked = param.Boolean(default=False, doc="Whether the number can oscillate, and not be set.")

    accepts = ("reach", "watched")

    orders: ClassVar = dict.fromkeys(("reach", "watched", "gradient"), Order.LOOK)

    hears: ClassVar = {
        "gradient": AskGradient,
        "restore_matrix": AnyMessage,
        "renormalize": AnyMessage,
        "look_only": OfRow,
        "release_row": OfRow,
        "silence": Silence,
        "patch": Patch,
    }

    details = param.Dict(default={}, doc="What is known of the selected cell.")

    numbers = param.Selector(
        default="decimal", objects=["decimal", "scientific"], doc="Notation of the large number."
    )

    _esm = module(HERE / "inspector.js")
    _stylesheets = styles(HERE / "inspector.css")

    curve = param.Dict(
        default={},
        doc="A probability over the values of the cell: low, high, probabilities, row, column; or "
        "only that one is `coming`.",
    )

    swing = param.List(
        default=[], item_type=float, doc="Amplitude and period in s of the swing; empty at rest."
    )

    reach = param.Boolean(default=False, doc="Whether what the cell reaches is marked.")

    def __init__(
        self, *, on_message: Callable[[dict[str, Any]], None] | None = None, **params: Any
    ) -> None:
        super().__init__(**params)
        self._on_message = on_message

    def send_gradient(self, details: Mapping[str, object]) -> None:
        """Send what `explain.gradient.details` gives; or `path`, `i`, `j` and `costly`,
        where it is computed only on request.
        """
        self.send({"type": "gradient", **details})

    def hear(self, message: Message) -> None:
        """Something was asked, or is to be done with the cell."""
        if self._on_message:
            self._on_message(message)
