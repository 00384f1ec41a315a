"""What becomes of a word's probability without one thing after another: bars to press."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar, TypedDict

import param

from ..component import Component, Message, module, styles
from ..messages import AnyMessage

HERE = Path(__file__).parent


class EffectRow(TypedDict):
    """The answer without one thing.

    Attributes:
        label: what is left out.
        probability: the answer's probability without it, 0 to 1; the bar is as long.
        change: both probabilities in words, such as ``.85 → .01``.
        writes: what is written without it.
        is_other: whether that is something else than with it.
        is_out: whether it is left out on the page; None if a press only goes there.
        does: what a press does, for tooltips and screen readers.
    """

    label: str
    probability: float
    change: str
    writes: str
    is_other: bool
    is_out: bool | None
    does: str


class PressedRow(AnyMessage):
    """A row was pressed."""

    row: int


class EffectBars(Component):
    """Rows with a bar each; `on_press` callbacks get the row that was pressed."""

    rows = param.List(default=[], item_type=dict, doc="An `EffectRow` for each thing.")

    head = param.Dict(
        default={},
        doc="`label`, the list's name; `conclusion`, what it shows in a sentence; `now`, the "
        "answer's present probability, which is marked on each bar.",
    )

    hears: ClassVar = {"press": PressedRow}

    _esm = module(HERE / "effect_bars.js")
    _stylesheets = styles(HERE / "effect_bars.css")

    def __init__(self, **params: object) -> None:
        super().__init__(**params)
        self._on_press: list[Callable[[int], None]] = []

    def on_press(self, callback: Callable[[int], None]) -> None:
        """Register a callback for each pressed row."""
        self._on_press.append(callback)

    @property
    def places(self) -> tuple[str, ...]:
        """See `Component.places`: what each row leaves out."""
        return tuple(row["label"] for row in self.rows)

    def hear(self, message: Message) -> None:
        """Handle a pressed row; unknown rows are ignored."""
        row = message["row"]
        if 0 <= row < len(self.rows) and not self.disabled:
            for callback in self._on_press:
                callback(row)
