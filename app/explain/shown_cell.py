"""Finds where an operand is drawn."""

from transformer_math.ops.expression import Cell

from ..model.matrices.values import shown_tensor


def shown_cell(cell: Cell) -> Cell:
    """The drawn cell with the value of an operand: the one before steps that are switched off.

    A gradient is returned unchanged, because its explanation skips such steps already.
    """
    return cell if is_gradient(cell) else Cell(shown_tensor(cell.tensor), cell.index)


def is_gradient(cell: Cell) -> bool:
    """Whether a cell belongs to a gradient rather than to a value."""
    return cell.tensor.symbol.startswith(r"\partial ")
