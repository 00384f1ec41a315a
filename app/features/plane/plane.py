"""The line that says that the board shows gradients or changes, and where they are largest.

Where it shows gradients it takes a step along them, too.
"""

from collections.abc import Callable
from typing import Annotated, Any, ClassVar

import param

from ...components.component import Component, Message
from ...components.messages import AnyMessage
from ...components.order import Order
from ...plain_data import Within

MOST_STEPS = 10  # by one press
SAYS = {"rate": ("value",), "step": ("count",), "word": ("at", "word")}  # besides the kind


class SetRate(AnyMessage):
    """A learning rate was typed."""

    value: str


class Step(AnyMessage):
    """So many steps are to be taken."""

    count: Annotated[int, Within(1, MOST_STEPS)]


class SetWord(AnyMessage):
    """A word was chosen that should be written at a position."""

    at: Annotated[int, Within(0, 10_000)]
    word: str


class Plane(Component):
    """A badge that leads back to the values, and buttons that lead to a few large cells.

    The badge calls the `on_back` callbacks. The buttons call the `on_go` callbacks, then ask
    `window.tinkerformer` to show the cell. Steps call `on_step` with their number, their undoing
    `on_undo`, a typed learning rate `on_rate` with the text, and a word that should be written
    `on_word` with its position and the word; `on_write` is called where the model is left to write.
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
        """Register a callback for a cell that is about to be shown."""
        self._heard["go"].append(callback)

    def on_step(self, callback: Callable[[int], None]) -> None:
        """Register a callback for so many steps along the gradients."""
        self._heard["step"].append(callback)

    def on_undo(self, callback: Callable[[], None]) -> None:
        """Register a callback for the undoing of the last step."""
        self._heard["undo"].append(callback)

    def on_rate(self, callback: Callable[[str], None]) -> None:
        """Register a callback for a typed learning rate."""
        self._heard["rate"].append(callback)

    def on_word(self, callback: Callable[[int, str], None]) -> None:
        """Register a callback for a word that should be written at a position."""
        self._heard["word"].append(callback)

    def on_write(self, callback: Callable[[], None]) -> None:
        """Register a callback for the model being left to write by itself."""
        self._heard["write"].append(callback)

    def hear(self, message: Message) -> None:
        """Handle a pressed button, a typed learning rate, or a chosen word."""
        if self.disabled:
            return
        kind = message["type"]
        said: list[Any] = [message[name] for name in SAYS.get(kind, ())]
        for callback in self._heard[kind]:
            callback(*said)
