"""The controls of the Train room: data, experiments, the timeline, examples, and runs as files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, Literal

import param

from ...plain_data import Long
from ..choice import Choice
from ..component import Component, Message, module, styles
from ..messages import AnyMessage
from ..order import Order
from ..upload import Opens

HERE = Path(__file__).parent


class Experiments(Choice):
    """The choice of an ablation (`value`), with a summary of its measured effect."""

    options = param.List(default=[], doc="Pairs of a name and a label.")
    about = param.String(default="", doc="What is known of the one that is chosen.")

    _esm = module(HERE / "experiments.js")
    _stylesheets = styles(HERE / "learn.css")

    def names(self) -> list[str]:
        """See `Choice.names`."""
        return [name for name, _ in self.options]


class Pairs(AnyMessage):
    """Training pairs that the user typed or opened from a file."""

    text: Long
    unit: Literal["character", "word"]


class Choose(AnyMessage):
    """A row was chosen."""

    row: int


class Data(Component):
    """The choice of training data (`value`): one of `options`, or the user's own pairs (`own`).

    Pairs are parsed in a thread, so `problem` reports errors in them a moment later.
    `on_pairs(text, unit)` is called each time the user provides pairs.
    """

    value = param.String(default="", doc="The name of what is learned.")
    options = param.List(default=[], doc="Pairs of a name and a label.")
    note = param.String(default="", doc="What there is of it.")

    accepts = ("value",)

    hears: ClassVar = {"pairs": Pairs}

    orders: ClassVar = dict.fromkeys(("value", "pairs"), Order.ALWAYS)

    _esm = module(HERE / "data.js")
    _stylesheets = styles(HERE / "learn.css")

    def __init__(self, *, on_pairs: Callable[[str, str], None], **params: Any) -> None:
        super().__init__(**params)
        self._on_pairs = on_pairs

    def offers(self, name: str, raw: Any) -> bool:  # noqa: ARG002
        """See `Component.offers`."""
        return raw in [option for option, _ in self.options]

    def hear(self, message: Message) -> None:
        """Handle pairs that were typed or opened."""
        if not self.disabled:
            self._on_pairs(message["text"], message["unit"])


class Timeline(Component):
    """The training step that the page shows (`value`); None is the last one."""

    value = param.Integer(
        default=None, allow_None=True, doc="The step that is shown; None: the last."
    )
    steps = param.List(default=[], doc="Steps that can be gone back to, in order.")
    now = param.Integer(default=0, doc="The last step.")
    compared = param.Boolean(default=False, doc="Whether the page shows the change since step 0.")

    accepts = ("value", "compared")

    _esm = module(HERE / "timeline.js")
    _stylesheets = styles(HERE / "learn.css")

    def offers(self, name: str, raw: Any) -> bool:
        """See `Component.offers`."""
        is_step = raw is None or (type(raw) is int and raw in self.steps)
        return is_step if name == "value" else isinstance(raw, bool)


class Examples(Component):
    """Unseen pairs with the model's output; one of them can be loaded into the page.

    `rows` are triples of a source, its right target and the model's output. `value` is the index
    of the row that was chosen last.
    """

    value = param.Integer(default=None, allow_None=True, doc="The row that was chosen.")
    rows = param.List(default=[], doc="Sources, right targets, and what is written.")
    unit = param.String(default="word", doc="What is compared: words or characters.")
    note = param.String(default="", doc="What the output leaves out.")

    hears: ClassVar = {"choose": Choose}

    _esm = module(HERE / "examples.js")
    _stylesheets = styles(HERE / "learn.css")

    @property
    def places(self) -> tuple[str, ...]:
        """See `Component.places`: the source of each row."""
        return tuple(str(source) for source, *_ in self.rows)

    def hear(self, message: Message) -> None:
        """Handle the choice of a row; unknown rows are ignored."""
        row = message["row"]
        if 0 <= row < len(self.rows) and not self.disabled:
            with param.parameterized.discard_events(self):
                self.value = row
            self.param.trigger("value")  # also if the same row is chosen again


class RunFiles(Opens):
    """Saves the training run as a file, and opens a saved one.

    `on_save()` is called to save the run; `on_open(files, heads)` opens a saved run.
    """

    hears: ClassVar = {**Opens.hears, "save": AnyMessage}

    orders: ClassVar = {**Opens.orders, "save": Order.LOOK}

    _esm = module(HERE / "run_files.js")
    _stylesheets = styles(HERE / "learn.css")

    def __init__(self, *, on_save: Callable[[], None], **params: Any) -> None:
        super().__init__(**params)
        self._on_save = on_save

    def _on_save_message(self, _data: dict[str, Any]) -> None:
        if not self.disabled:
            self._on_save()

    def hand_out(self, name: str, data: bytes) -> None:
        """Make the browser save a file."""
        self.send({"type": "file", "name": name, "bytes": data})
