"""Where a cell that was read for another one is drawn."""

from __future__ import annotations

from transformer_math.ops.expression import Cell

from ..matrices.values import shown_tensor


def shown_cell(cell: Cell) -> Cell:
    """Where a cell that was read is drawn: a value before the steps that are switched off.

    A gradient stays where it is: such steps are passed over before one is explained.
    """
    return cell if is_gradient(cell) else Cell(shown_tensor(cell.tensor), cell.index)


def is_gradient(cell: Cell) -> bool:
    """Whether a cell is a gradient's and not a value's."""
    return cell.tensor.symbol.startswith(r"\partial ")
