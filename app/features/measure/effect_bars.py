"""What becomes of a word's probability without one thing after another: bars to press."""

from typing import TypedDict

import param

from ...components.pressed_rows import PressedRows


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


class EffectBars(PressedRows):
    """Rows with a bar each: an `EffectRow` for each thing."""

    entry = "effect_bars.js"
    sheets = ("effect_bars.css",)

    head = param.Dict(
        default={},
        doc="`label`, the list's name; `conclusion`, what it shows in a sentence; `now`, the "
        "answer's present probability, which is marked on each bar.",
    )
