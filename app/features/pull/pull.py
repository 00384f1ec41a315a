"""Declares the panel that shows the progress of a pull, and offers to keep the result."""

from collections.abc import Collection
from typing import Any, ClassVar

import param

from ...components.buttons import Buttons, Pressed
from ...components.callbacks import Callbacks
from ...components.component import Message
from ...components.messages import AnyMessage

CELL = ("path", "i", "j")


class Take(AnyMessage):
    """A number of the list was pressed, to be taken; the list may have grown in the meantime."""

    path: str
    i: int
    j: int


class Pull(Buttons):
    """The request, the choice of the numbers that may change, and a list of changed numbers."""

    value = param.String(default="", doc="The numbers that may change, one of the options.")

    options = param.List(default=[], item_type=list, doc="Name and label of each option.")

    count = param.String(default="", doc="How many numbers may change, one of the counts.")

    counts = param.List(default=[], item_type=list, doc="Name and label of each count.")

    shown = param.Dict(
        default={},
        doc="`wish` and `cost`, two sentences; `tone`: busy, granted or refused; `presses`, the "
        "names of the buttons; `share`, the finished part of a search, from 0 to 1; `order`, a "
        "sentence about the order of the list, or that the list is being computed.",
    )

    rows = param.List(default=[], item_type=dict, doc="The numbers that change, see `NumberRow`.")

    taken = param.Integer(default=-1, doc="The applied row; -1 for none.")

    accepts = ("value", "count")

    hears: ClassVar = {"press": Pressed, "take": Take}

    on_take = Callbacks[[int]]()  # the pressed row, in a list of single numbers

    @property
    def buttons(self) -> Collection[str]:
        return list(self.shown.get("presses", ()))

    def offers(self, name: str, raw: Any) -> bool:
        offered = self.counts if name == "count" else self.options
        return raw in [option for option, _ in offered]

    def hear(self, message: Message) -> None:
        """Handle a button, or a number of the list; numbers that are not listed are ignored."""
        if message["type"] == "press":
            super().hear(message)
            return
        pressed = [message[name] for name in CELL]
        rows = [at for at, row in enumerate(self.rows) if [row[name] for name in CELL] == pressed]
        if rows:
            self.on_take.call(rows[0])
