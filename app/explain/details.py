"""Declares the inspector's data on a cell and on its gradient.

``features/inspector/types.js`` declares the types of the data for the browser.
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
    """The data on a cell; a field that does not apply to the cell is absent."""

    path: str  # the drawn matrix of the cell
    i: int
    j: int
    symbol: str  # the symbol of the matrix, in LaTeX
    title: str  # the place of the matrix in the model, in words
    where: str  # the labels of row and column, in words
    place: str  # the labels of row and column in short, without position and id
    editable: bool
    parameter: bool  # whether the cell is a parameter rather than a computed number
    covered: NotRequired[bool]  # whether the value is hidden while a question asks for it
    edited: NotRequired[bool]
    edited_here: NotRequired[bool]  # whether any cell of its matrix was set
    original: NotRequired[float]  # the value before it was set
    renormalizes: NotRequired[bool]  # whether its row can be rescaled to sum to 1 again
    word: NotRequired[str]  # the word of a probability, if another word is likelier
    formula: NotRequired[str]  # the formula of the matrix, in LaTeX
    arithmetic: NotRequired[list[str]]  # lines of text, without the result
    operands: NotRequired[list[Operand]]
    more_operands: NotRequired[int]  # the number of other operands
    # For a matrix product, the row and the column whose products add up to the cell.
    strips: NotRequired[Strips | None]
    low: NotRequired[float]  # the lowest value of its slider
    high: NotRequired[float]  # the highest value of its slider
    share: NotRequired[bool]  # whether it is a share between 0 and 1
    # Whether it is an attention weight that can be made the only nonzero weight of its row.
    looks: NotRequired[bool]
    row_edited: NotRequired[bool]  # whether any cell of its row was set
    heads: NotRequired[int]  # the number of heads of its sublayer
    row_edited_elsewhere: NotRequired[bool]  # whether any cell of that row was set in another head
    note: NotRequired[str]
    silence: NotRequired[list[SilenceChoice]]  # the parts that contain the cell and can be silenced
    silenced: NotRequired[str]  # a sentence about the silence that applies to the cell
    # A sentence on the silence because of which the cell has no effect.
    unheard: NotRequired[str]
    # The cell's value in the baseline; None if it is not finite there.
    pinned: NotRequired[float | None]
    patches: NotRequired[bool]  # whether the cell can be replaced by numbers of the baseline
    # View and label of each picture that explains its matrix.
    ideas: NotRequired[list[tuple[str, str]]]


class GradientDetails(TypedDict):
    """The data on the gradient of a cell."""

    path: str
    i: int
    j: int
    # Whether the gradient is computed only on request; if so, most other fields are absent.
    costly: NotRequired[bool]
    loss: NotRequired[float | None]  # the loss of the pass; None if it is not finite
    # A phrase for the loss's target, if that is the model's own output; else empty.
    right: NotRequired[str]
    symbol: NotRequired[str]
    value: NotRequired[float | None]  # the gradient; None if it is not finite
    # The change of the loss when the cell is raised and lowered by ``STEP``; None if it is lost in
    # single precision.
    exact: NotRequired[list[float] | None]
    arithmetic: NotRequired[list[str]]  # lines of text, without the result
    operands: NotRequired[list[Operand]]  # the first cells from which the gradient was computed
    more_operands: NotRequired[int]  # the number of other operands
    # For a matrix product, the row and the column whose products add up to the gradient.
    strips: NotRequired[Strips | None]
    note: NotRequired[str]
