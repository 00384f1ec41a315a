"""The inspector's data on a cell and on its gradient.

``features/inspector/types.js`` declares the same names for the browser.
"""

from typing import NotRequired, TypedDict

from .ablation import SilenceChoice
from .strips import Strips


class Operand(TypedDict):
    """An operand of a cell; ``value`` is None if it is not finite."""

    path: str
    i: int
    j: int
    name: str
    value: float | None


class CellDetails(TypedDict):
    """The data on a cell; the fields of a kind that does not apply are absent.

    Attributes:
        path: the drawn matrix of the cell.
        i: the row of the cell.
        j: the column of the cell.
        symbol: the symbol of the matrix, in LaTeX.
        title: the place of the matrix in the model, in words.
        where: the labels of row and column, in words.
        place: the labels of row and column in short, without position and id.
        editable: whether the cell can be set.
        parameter: whether the cell is a parameter rather than a computed number.
        edited: whether the cell was set.
        edited_here: whether any cell of its matrix was set.
        original: the value before it was set.
        renormalizes: whether its row can be rescaled to sum to 1 again.
        formula: the formula of the matrix, in LaTeX.
        arithmetic: lines of text, without the result.
        operands: the first cells it was computed from.
        more_operands: the number of other operands.
        strips: the row and the column whose products add up to the cell, if they do.
        low: the lowest value of its slider.
        high: the highest value of its slider.
        share: whether it is a share between 0 and 1.
        looks: whether it is an attention weight that can be made the only nonzero one of its row.
        row_edited: whether any cell of its row was set.
        heads: the number of heads of its sublayer.
        row_edited_elsewhere: whether any cell of that row was set in another head.
        note: a sentence about the cell.
        covered: whether the value is hidden while a question asks for it.
        silence: the parts that contain the cell and can be silenced.
        silenced: a sentence about the silence that applies to the cell.
        unheard: a sentence on the silence that keeps the cell from changing anything.
        pinned: the cell's value in the baseline; None if that was not finite.
        patches: whether the cell can be replaced by numbers of the baseline.
        ideas: view and label of each picture that explains its matrix.
        word: the word of a probability, if another one is likelier.
    """

    path: str
    i: int
    j: int
    symbol: str
    title: str
    where: str
    place: str
    editable: bool
    parameter: bool
    covered: NotRequired[bool]
    edited: NotRequired[bool]
    edited_here: NotRequired[bool]
    original: NotRequired[float]
    renormalizes: NotRequired[bool]
    word: NotRequired[str]
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
    unheard: NotRequired[str]
    pinned: NotRequired[float | None]
    patches: NotRequired[bool]
    ideas: NotRequired[list[tuple[str, str]]]


class GradientDetails(TypedDict):
    """The data on the gradient of a cell.

    Attributes:
        path: the drawn matrix of the cell.
        i: the row of the cell.
        j: the column of the cell.
        costly: whether the gradient is computed only on request; most other fields are then absent.
        step: the change of the cell in ``exact``.
        loss: the loss of the pass; None if it is not finite.
        right: a phrase for the loss's target, if that is the model's own output; else empty.
        symbol: the symbol of the gradient, in LaTeX.
        value: the gradient; None if it is not finite.
        exact: the change of the loss when the cell is raised and lowered by the step; None if it
            is lost in single precision.
        arithmetic: lines of text, without the result.
        operands: the first cells from which the gradient was computed.
        more_operands: the number of other operands.
        strips: the row and the column whose products add up to the gradient, if they do.
        note: a sentence about the gradient.
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
