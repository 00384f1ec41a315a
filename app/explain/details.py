"""What is known of a cell, and of its gradient, as the inspector has it.

``components/inspector/types.js`` has the same names for the browser.
"""

from __future__ import annotations

from typing import NotRequired, TypedDict

from .silence import SilenceChoice
from .strips import Strips


class Operand(TypedDict):
    """A cell that another one was computed from; ``value`` is None where it is not finite."""

    path: str
    i: int
    j: int
    name: str
    value: float | None


class CellDetails(TypedDict):
    """What is known of a cell.

    Attributes:
        path: its drawn matrix.
        i: its row.
        j: its column.
        symbol: of the matrix, in LaTeX.
        title: where the matrix is, in words.
        where: the labels of row and column, in words.
        editable: whether it can be set.
        parameter: whether it is one, and not computed.
        edited: whether it was set.
        edited_here: whether something of its matrix was.
        original: what it was, or was computed as, before it was set.
        renormalizes: whether its row can be made to sum to 1 again.
        formula: in LaTeX.
        arithmetic: lines, without the result.
        operands: the cells it was computed from, the first of them.
        more_operands: how many more there are.
        strips: a row and a column, where it is the sum of their products.
        low: the lowest number that it is slid to.
        high: the highest.
        share: whether it is a share of 1.
        looks: whether it is an attention weight, the only one of its row that can be made to count.
        row_edited: whether something of its row was set.
        heads: how many heads its sublayer has.
        row_edited_elsewhere: whether something of that row was set in another head.
        note: a sentence.
        covered: whether its number is not told while a question asks for it.
        silence: the parts it is of that can be silenced.
        silenced: what it is silenced to, in a sentence.
        pinned: what it was in the baseline; None where that was not finite.
        patches: whether numbers of the baseline can be put in its place.
    """

    path: str
    i: int
    j: int
    symbol: str
    title: str
    where: str
    editable: bool
    parameter: bool
    covered: NotRequired[bool]
    edited: NotRequired[bool]
    edited_here: NotRequired[bool]
    original: NotRequired[float]
    renormalizes: NotRequired[bool]
    formula: NotRequired[str]
    arithmetic: NotRequired[list[str]]
    operands: NotRequired[list[Operand]]
    more_operands: NotRequired[int]
    strips: NotRequired[Strips | None]
    low: NotRequired[float]
    high: NotRequired[float]
    share: NotRequired[bool]
    looks: NotRequired[bool]
    row_edited: NotRequired[bool]
    heads: NotRequired[int]
    row_edited_elsewhere: NotRequired[bool]
    note: NotRequired[str]
    silence: NotRequired[list[SilenceChoice]]
    silenced: NotRequired[str]
    pinned: NotRequired[float | None]
    patches: NotRequired[bool]


class GradientDetails(TypedDict):
    """What is known of a cell's gradient.

    Attributes:
        path: its drawn matrix.
        i: its row.
        j: its column.
        costly: it is computed only on request, and all else is missing.
        step: what ``exact`` moved the cell by.
        loss: of the pass; None where it is not finite.
        right: what counts as right in the loss, where that is no answer from outside the model.
        symbol: of the gradient, in LaTeX.
        value: None where it is not finite.
        exact: how the loss changes when the cell is raised, and lowered, by the step; None where
            that is lost in single precision.
        arithmetic: lines, without the result.
        operands: the cells it was computed from, the first of them.
        more_operands: how many more there are.
        strips: a row and a column, where it is the sum of their products.
        note: a sentence.
    """

    path: str
    i: int
    j: int
    costly: NotRequired[bool]
    step: NotRequired[float]
    loss: NotRequired[float | None]
    right: NotRequired[str]
    symbol: NotRequired[str]
    value: NotRequired[float | None]
    exact: NotRequired[list[float] | None]
    arithmetic: NotRequired[list[str]]
    operands: NotRequired[list[Operand]]
    more_operands: NotRequired[int]
    strips: NotRequired[Strips | None]
    note: NotRequired[str]
