"""Declares the inspector of the selected number: its meaning, computation, and controls."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal

import param

from ...components.component import Component, Message
from ...components.messages import AnyMessage
from ...components.order import Order


class AskGradient(AnyMessage):
    """A request for the gradient of the loss at the cell; without ``now``, only if it is cheap."""

    now: bool


class OfRow(AnyMessage):
    """An action on an attention weight's row, in this head or in all heads."""

    everywhere: bool


class Silence(AnyMessage):
    """Silence a part that contains the cell, or release it."""

    name: str
    to: str | None


class WishWord(AnyMessage):
    """A request to change the model so that it writes a word at a position."""

    row: int
    word: str


class Patch(AnyMessage):
    """Replace numbers with those of the baseline."""

    part: Literal["number", "row", "matrix"]


class Inspector(Component):
    """Shows one cell and its computation.

    The browser reads the value from the board at every paint, so that the inspector follows an
    oscillation at display rate. `details` has the data that only the server can compute, see
    `CellDetails`; an empty dict means that nothing is selected. When the browser is idle, it
    requests the gradient of the loss (`{"type": "gradient", "now": bool}`), which `send_gradient`
    answers. The browser sends changes of numbers through `window.tinkerformer`.
    """

    value = param.Number(
        default=None, allow_None=True, doc="The number; the user can set it.", precedence=-1
    )

    watched = param.List(
        default=[-1, -1],
        item_type=int,
        bounds=(2, 2),
        doc="Position and word of the curve; −1: those that the cell affects most.",
    )

    wishes = param.Boolean(default=False, doc="Whether the user can choose a word to be written.")

    locked = param.Boolean(default=False, doc="Whether the number can oscillate but not be set.")

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
        "wish": WishWord,
    }

    details = param.Dict(default={}, doc="The properties of the selected cell.")

    numbers = param.Selector(
        default="decimal",
        objects=["decimal", "scientific"],
        doc="The notation of the large number.",
    )

    curve = param.Dict(
        default={},
        doc="The probability of a word by the value of the cell: low, high, probabilities, row, "
        "column, and the words and rows to choose from; or only `coming` while it is computed.",
    )

    words = param.Dict(
        default={},
        doc="The words of the sentence that change with the cell: low, high, and rows of intervals "
        "(low, high, word); or only `coming` while they are computed.",
    )

    swing = param.List(
        default=[],
        item_type=float,
        doc="Amplitude, and period in seconds, of the oscillation; empty at rest.",
    )

    reach = param.Boolean(default=False, doc="Whether the cells that this cell affects are marked.")

    def __init__(
        self, *, on_message: Callable[[dict[str, Any]], None] | None = None, **params: Any
    ) -> None:
        super().__init__(**params)
        self._on_message = on_message

    def send_gradient(self, details: Mapping[str, object]) -> None:
        """Send the result of `explain.gradient.details`.

        For a gradient that is computed only on request, send `path`, `i`, `j` and `costly`.
        """
        self.send({"type": "gradient", **details})

    def hear(self, message: Message) -> None:
        if self._on_message:
            self._on_message(message)
