"""Declares bars, which can be pressed, for a word's probability without each of several parts."""

from typing import TypedDict

import param

from ...components.pressed_rows import PressedRows


class EffectRow(TypedDict):
    """The answer, a word at a position, when one part is left out."""

    label: str  # the part
    probability: float  # the answer's probability without the part, 0 to 1; the bar's length
    change: str  # the probabilities with and without the part, such as ``.85 → .01``
    writes: str  # the text that is written without the part
    is_other: bool  # whether the text written with the part differs
    is_out: bool | None  # whether the page leaves out the part; None if a press follows the part
    does: str  # the effect of a press, for tooltips and screen readers


class EffectBars(PressedRows):
    """Rows of bars, with an `EffectRow` for each part."""

    entry = "effect_bars.js"
    sheets = ("effect_bars.css",)

    head = param.Dict(
        default={},
        doc="`label`, the list's name; `conclusion`, the result as a sentence; `now`, the present "
        "probability of the answer, which each bar marks.",
    )
