"""A table of heads or hidden units: the model without each, and a switch that silences it."""

from typing import TypedDict

import param

from ...components.pressed_rows import PressedRows


class HeadRow(TypedDict):
    """The measured effect of silencing one part.

    Attributes:
        label: the part's layer and number.
        right: how many pairs are right with it silenced; empty if the right answers are unknown.
        right_change: the change of that number, with its sign; of a part that is silenced
            already, the number with it.
        share: the fraction of pairs that become wrong, 0 to 1.
        probability: the probability of the answer with it silenced.
        change: the change of that probability, with its sign; of a part that is silenced already,
            the probability with it.
        fall: how far the probability falls, 0 to 1; 0 where it rises.
        writes: the word that the model writes there with it silenced.
        is_other: whether that is another word than without this change.
        reads: the word that a head looks at most there; empty if it does not look from there.
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
    """A table of parts, a `HeadRow` for each; a press is on its switch."""

    entry = "head_table.js"
    sheets = ("head_table.css",)

    head = param.Dict(
        default={},
        doc="`label`, the table's name; `conclusion`, what it shows in a sentence; `part`, "
        "`right`, `probability`, `writes` and `reads`, "
        "titles of columns; `now`, `right_now`, `probability_now` and `writes_now`, the line of "
        "all as it is. Without `right` or `reads` there is no such column.",
    )
