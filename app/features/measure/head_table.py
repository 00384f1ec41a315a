"""A table of heads or hidden units: results without each, and a switch that silences it."""

from typing import TypedDict

import param

from ...components.pressed_rows import PressedRows


class HeadRow(TypedDict):
    """The measured effect of silencing one part.

    Attributes:
        label: the part's layer and number.
        right: the number of right pairs with the part silenced; empty if the right answers are
            unknown.
        right_change: the signed change of that number; for a part that is already silenced, the
            number with the part.
        share: the fraction of pairs that become wrong, 0 to 1.
        probability: the probability of the answer with the part silenced.
        change: the signed change of that probability; for a part that is already silenced, the
            probability with the part.
        fall: the decrease of the probability, 0 to 1; 0 if it rises.
        writes: the word that the model writes there with the part silenced.
        is_other: whether that differs from the word without this change.
        reads: the word that a head attends to most from there; empty if it does not attend from
            there.
        silent: whether it is silenced on the page.
    """

    label: str
    right: str
    right_change: str
    share: float
    probability: str
    change: str
    fall: float
    writes: str
    is_other: bool
    reads: str
    silent: bool


class HeadTable(PressedRows):
    """A table with a `HeadRow` for each part; pressing a row's switch reports its row."""

    entry = "head_table.js"
    sheets = ("head_table.css",)

    head = param.Dict(
        default={},
        doc="`label`, the table's name; `conclusion`, what it shows in a sentence; `part`, "
        "`right`, `probability`, `writes` and `reads`, "
        "titles of columns; `now`, `right_now`, `probability_now` and `writes_now`, the line of "
        "all as it is. Without `right` or `reads` there is no such column.",
    )
