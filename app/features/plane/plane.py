"""The line that names the board's plane (gradients or changes), with the largest cells.

For gradients it also has buttons that take steps of gradient descent.
"""

from collections.abc import Callable
from typing import Annotated, Any, ClassVar

import param

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
    """A badge that returns to the values, and buttons that go to a few large cells.

    The badge calls the `on_back` callbacks. The buttons call the `on_go` callbacks, then call
    `window.tinkerformer` to show the cell. `on_step` callbacks get a number of steps, `on_rate`
    callbacks a typed learning rate as text, and `on_word` callbacks a position and its new target
    word. `on_undo` is called to undo the steps, and `on_write` to let the model write its words
    itself.
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

    right = param.List(
        default=[],
        item_type=dict,
        doc="The words that should be written: `at`, `word`, `text`, `p` of it, `writes` what is "
        "written in its place, empty if it is; `open` whether another one can be chosen.",
    )

    known = param.List(default=[], doc="The words to choose from, by kind: `[label, words]`.")

    teaches = param.String(default="", doc="What a step has to teach.")

    can_write = param.Boolean(
        default=False, doc="Whether the model can be left to write what it was taught."
    )

    hears: ClassVar = {
        **dict.fromkeys(("back", "go", "undo", "write"), AnyMessage),
        "rate": SetRate,
        "step": Step,
        "word": SetWord,
    }

    orders: ClassVar = {"back": Order.ALWAYS, "go": Order.LOOK}

    def __init__(self, **params: object) -> None:
        super().__init__(**params)
        self._heard: dict[str, list[Callable[..., None]]] = {kind: [] for kind in self.hears}

    def on_back(self, callback: Callable[[], None]) -> None:
        """Register a callback for the return to the values."""
        self._heard["back"].append(callback)

    def on_go(self, callback: Callable[[], None]) -> None:
        """Register a callback that is called before a cell is shown."""
        self._heard["go"].append(callback)

    def on_step(self, callback: Callable[[int], None]) -> None:
        """Register a callback for a number of steps along the gradients."""
        self._heard["step"].append(callback)

    def on_undo(self, callback: Callable[[], None]) -> None:
        """Register a callback for undoing the last step."""
        self._heard["undo"].append(callback)

    def on_rate(self, callback: Callable[[str], None]) -> None:
        """Register a callback for a typed learning rate."""
        self._heard["rate"].append(callback)

    def on_word(self, callback: Callable[[int, str], None]) -> None:
        """Register a callback for a target word at a position."""
        self._heard["word"].append(callback)

    def on_write(self, callback: Callable[[], None]) -> None:
        """Register a callback for letting the model write its own words."""
        self._heard["write"].append(callback)

    def hear(self, message: Message) -> None:
        """Handle a pressed button, a typed learning rate, or a chosen word."""
        if self.disabled:
            return
        kind = message["type"]
        said: list[Any] = [message[name] for name in SAYS.get(kind, ())]
        for callback in self._heard[kind]:
            callback(*said)
