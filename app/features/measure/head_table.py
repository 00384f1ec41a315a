"""Declares a table of heads or hidden units, with the results without each part, and switches."""

from typing import TypedDict

import param

from ...components.pressed_rows import PressedRows


class HeadRow(TypedDict):
    """The measured effect of silencing one part."""

    label: str  # the part's layer and number
    # The number of right pairs with the part silenced; empty if the right answers are unknown.
    right: str
    # The signed change of the number; if the model already silences the part, the number with the
    # part.
    right_change: str
    share: float  # the fraction of pairs that become wrong, 0 to 1
    probability: str  # the probability of the answer with the part silenced
    # The signed change of the probability; if the model already silences the part, the probability
    # with the part.
    change: str
    fall: float  # the decrease of the probability, 0 to 1; 0 if it rises
    writes: str  # the word that the model writes at the answer's position with the part silenced
    is_other: bool  # whether the word written with the part differs
    # The word that a head attends to most from the answer's position; empty without such a row.
    reads: str
    silent: bool  # whether the page's model silences the part


class HeadTable(PressedRows):
    """A table with a `HeadRow` for each part; `on_press` callbacks get the row of a switch."""

    entry = "head_table.js"
    sheets = ("head_table.css",)

    head = param.Dict(
        default={},
        doc="`label`, the table's name; `conclusion`, the result as a sentence; `part`, `right`, "
        "`probability`, `writes` and `reads`, titles of columns; `now`, `right_now`, "
        "`probability_now` and `writes_now`, the line of the whole model. Without `right` or "
        "`reads`, there is no such column.",
    )
