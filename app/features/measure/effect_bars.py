"""Bars that show the probability of a word without each of several parts; each can be pressed."""

from typing import TypedDict

import param

from ...components.pressed_rows import PressedRows


class EffectRow(TypedDict):
    """The answer without one part."""

    label: str  # the part that is left out
    probability: float  # the answer's probability without it, 0 to 1; sets the length of the bar
    change: str  # both probabilities, formatted such as ``.85 → .01``
    writes: str  # the text that is written without it
    is_other: bool  # whether that text differs from the text written with it
    is_out: bool | None  # whether it is left out on the page; None if a press follows it instead
    does: str  # the effect of a press, for tooltips and screen readers


class EffectBars(PressedRows):
    """Rows of bars, with an `EffectRow` for each part."""

    entry = "effect_bars.js"
    sheets = ("effect_bars.css",)

    head = param.Dict(
        default={},
        doc="`label`, the list's name; `conclusion`, what it shows in a sentence; `now`, the "
        "answer's present probability, which is marked on each bar.",
    )
