"""Finds the drawn cell of an operand."""

from transformer_math.ops.expression import Cell

from ..model.matrices.values import shown_tensor


def shown_cell(cell: Cell) -> Cell:
    """Return the drawn cell with the value of an operand, skipping steps that are switched off.

    A gradient is returned unchanged, because its explanation already skips such steps.
    """
    return cell if is_gradient(cell) else Cell(shown_tensor(cell.tensor), cell.index)


def is_gradient(cell: Cell) -> bool:
    """Return whether a cell belongs to a gradient rather than to a value."""
    return cell.tensor.symbol.startswith(r"\partial ")
