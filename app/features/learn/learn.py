"""Declares the controls of the Train room: experiments, curves, examples, and runs as files."""

from collections.abc import Callable
from typing import Any, ClassVar

import param

from ...components.choice import Choice
from ...components.component import Component, Message
from ...components.messages import AnyMessage
from ...components.order import Order
from ...components.steps import Steps
from ...components.upload import Opens


class Experiments(Choice):
    """The choice of an ablation (`value`), with a summary of its measured effect."""

    options = param.List(default=[], doc="Pairs of a name and a label.")
    about = param.String(default="", doc="A description of the chosen experiment.")

    entry = "experiments.js"

    def names(self) -> list[str]:
        return [name for name, _ in self.options]


class Choose(AnyMessage):
    """A row was chosen."""

    row: int


class Curves(Steps):
    """The curves of a run over its steps, on the axis that `learning.pace.place` defines."""

    step = param.Integer(default=0, doc="The step that the page shows.")
    pinned = param.Integer(
        default=None, allow_None=True, doc="The step to compare with; None without one."
    )
    steps = param.Integer(default=1, doc="The number of steps of the run.")
    early = param.Number(default=30.0, doc="About this many of the first steps have equal width.")
    curves = param.Dict(default={}, doc="Loss, learning rate and gradient norm, by step.")
    before = param.Dict(default={}, doc="The same curves of the previous run.")
    schedule = param.List(default=[], doc="Pairs of a step and its learning rate.")
    floor = param.Number(default=0.0, doc="The lowest possible loss.")
    chance = param.Number(default=1.0, doc="The loss of a model that guesses; 0 if unknown.")
    ahead = param.String(default="", doc="What the first run will show; empty after it has begun.")
    clip = param.Number(
        default=0.0, doc="The maximum norm of a gradient; 0: gradients are not clipped."
    )
    marks = param.List(default=[], doc="Pairs of a step and what the user changed there.")
    what = param.String(default="pairs", doc="The kind of pairs: phrases, dates or pairs.")
    said = param.String(default="", doc="How the shown step differs from the pinned one.")
    notes = param.List(default=[], doc="Sentences about the curves.")

    accepts = ("pinned",)

    entry = "curves.js"
    sheets = ("learn.css", "curves.css")

    def offers(self, name: str, raw: Any) -> bool:  # noqa: ARG002 -- the only property
        if raw is None:
            return True
        if type(raw) is not int or not self.kept:
            return False
        # The training may have advanced when the pin arrives: accept any step so far.
        return bool(0 <= raw <= self.kept[-1])


class Examples(Component):
    """Unseen pairs with the model's output; one of them can be loaded into the page."""

    value = param.Integer(default=None, allow_None=True, doc="The chosen row.")
    rows = param.List(default=[], doc="Sources, correct targets and written texts.")
    unit = param.String(default="word", doc="The unit of comparison: word or character.")
    note = param.String(default="", doc="What the output omits.")

    hears: ClassVar = {"choose": Choose}

    entry = "examples.js"

    @property
    def places(self) -> tuple[str, ...]:
        return tuple(str(source) for source, *_ in self.rows)

    def hear(self, message: Message) -> None:
        """Handle the choice of a row; unknown rows are ignored."""
        row = message["row"]
        if 0 <= row < len(self.rows):
            with param.parameterized.discard_events(self):
                self.value = row
            self.param.trigger("value")  # also if the same row is chosen again


class RunFiles(Opens):
    """Saves the training run as a file, and opens a saved run.

    `on_save()` is called to save the run; `on_open(files, heads)` opens a saved run.
    """

    hears: ClassVar = {**Opens.hears, "save": AnyMessage}

    orders: ClassVar = {**Opens.orders, "save": Order.LOOK}

    entry = "run_files.js"

    def __init__(self, *, on_save: Callable[[], None], **params: Any) -> None:
        super().__init__(**params)
        self._on_save = on_save

    def _on_save_message(self, _data: dict[str, Any]) -> None:
        self._on_save()

    def hand_out(self, name: str, data: bytes) -> None:
        """Make the browser save a file."""
        self.send({"type": "file", "name": name, "bytes": data})
