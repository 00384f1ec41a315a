"""The board's component: the channel between Python and the browser."""

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar, cast

import param

from ..components.component import SHARED, Component, Message, module, styles
from .messages import FROM_BOARD, ORDERS, ToBoard

_HERE = Path(__file__).parent


class BoardComponent(Component):
    """Sends messages and properties to the browser, and passes on its messages."""

    locked = param.Boolean(default=False, doc="Whether no number can be dragged.")

    reached = param.String(doc="How many cells the selected number reaches, if they are marked.")
    changed = param.Dict(
        {}, doc="The last change: `LastChange`, with the button `train`; or empty."
    )

    row = param.Integer(default=0, doc="The row that the page shows; see `Row`.")

    new_words = param.List(
        default=[], item_type=int, doc="The rows whose written word the last edit changed."
    )

    editing = param.Boolean(default=False, doc="Whether an edit is in progress.")

    learned = param.String(
        doc="The moment of the training that made the change, such as `Step 5`: the focus is "
        "emphasized then, not the change; empty if training did not make it."
    )

    dropped = param.String(doc="The effect of dropout on the picture; empty without dropout.")

    searched = param.Boolean(
        default=False, doc="Whether the marks show the result of a search, not what a cell reaches."
    )

    busy = param.Boolean(default=False, doc="Whether a change is being computed.")

    hears: ClassVar = FROM_BOARD

    orders: ClassVar = ORDERS

    _esm: ClassVar[str] = module(_HERE / "board.js")
    _stylesheets: ClassVar[list[str]] = styles(
        *(_HERE / name for name in ("board.css", "attention.css", "picture/picture.css")),
        SHARED.parent / "form" / "controls.css",
        SHARED / "cell_name.css",
        _HERE.parent / "features" / "prediction" / "bars.css",
        shared=False,
    )

    def __init__(self, receive: Callable[[Message], None], renew: Callable[[], None]) -> None:
        """Create the component; ``renew`` is as in `Component`."""
        super().__init__()
        self.connected = False  # whether a browser has reported that it is ready
        self._receive = receive
        self._renew = renew

    def hear(self, message: Message) -> None:
        self._receive(message)

    def renew(self) -> None:
        self._renew()

    def post(self, message: ToBoard) -> None:
        """Send a message if a browser is connected."""
        if self.connected:
            self.send(cast(Message, message))
