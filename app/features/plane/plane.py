"""Declares the line that names the board's plane (gradients or changes), with the largest cells.

For gradients it also has buttons that take steps of gradient descent.
"""

from typing import Annotated, ClassVar

import param

from ...components.callbacks import Callbacks
from ...components.component import Component, Message
from ...components.messages import AnyMessage
from ...components.order import Order
from ...plain_data import Within

MOST_STEPS = 10  # at most this many steps per press
SAYS = {"rate": ("value",), "step": ("count",), "word": ("at", "word")}  # message fields


class SetRate(AnyMessage):
    """A learning rate was typed."""

    value: str


class Step(AnyMessage):
    """A request for a number of steps."""

    count: Annotated[int, Within(1, MOST_STEPS)]


class SetWord(AnyMessage):
    """A target word was chosen for a position."""

    at: Annotated[int, Within(0, 10_000)]
    word: str


class Plane(Component):
    """A badge with a button back to the values, and buttons that go to a few large cells.

    The buttons of the cells call `window.tinkerformer` to show a cell.
    """

    value = param.String(default="", doc="What the matrices show instead of values.")

    meaning = param.String(default="", doc="The meaning of the colors of these values.")

    cells = param.List(
        default=[],
        item_type=dict,
        doc="The cells with the largest values: `what`, `path`, `i`, `j`, `name`, `place`, "
        "`where`, `value`.",
    )

    swings = param.Boolean(
        default=False, doc="Whether a number oscillates, so that the cells are those at rest."
    )

    nothing = param.String(default="", doc="The sentence that is shown without such cells.")

    rate = param.Dict(
        default=None,
        allow_None=True,
        doc="The form field of a step's learning rate; None: no step is possible.",
    )

    stepped = param.List(
        default=[],
        item_type=str,
        doc="Sentences on the last step, the loss first; empty without a step.",
    )

    right = param.List(
        default=[],
        item_type=dict,
        doc="The correct words: `at`, `word`, `text`, its probability `p`, and `writes`, the word "
        "that the model writes instead, if any; `open`: whether the user can choose another word.",
    )

    known = param.List(default=[], doc="The words to choose from, by kind: `[label, words]`.")

    teaches = param.String(default="", doc="What a step teaches the model.")

    can_write = param.Boolean(
        default=False, doc="Whether the user can let the model write what it has learned."
    )

    hears: ClassVar = {
        **dict.fromkeys(("back", "go", "undo", "write"), AnyMessage),
        "rate": SetRate,
        "step": Step,
        "word": SetWord,
    }

    orders: ClassVar = {"back": Order.ALWAYS, "go": Order.LOOK}

    on_back = Callbacks[[]]()
    on_go = Callbacks[[]]()  # before a cell is shown
    on_step = Callbacks[[int]]()  # the number of steps
    on_undo = Callbacks[[]]()  # undo the steps
    on_rate = Callbacks[[str]]()  # the learning rate as it was typed
    on_word = Callbacks[[int, str]]()  # a position and its new target word
    on_write = Callbacks[[]]()  # let the model write its words itself

    def hear(self, message: Message) -> None:
        kind = message["type"]
        getattr(self, f"on_{kind}").call(*(message[name] for name in SAYS.get(kind, ())))
