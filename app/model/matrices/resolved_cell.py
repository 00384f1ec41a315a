"""A cell's address resolved in one forward pass."""

from dataclasses import dataclass

from transformer_math import Trace
from transformer_math.ops.tensor import Index, Tensor

from ..scenario.matrix_address import matrix_address
from .address import CellAddress
from .values import matrix_shape


@dataclass(frozen=True, slots=True, eq=False)
class ResolvedCell:
    """A cell of a drawn matrix in one forward pass. Do not use it with another pass."""

    path: str  # such as ``encoder.0.self_attn.head.1.q``
    stored: str  # the tensor in the trace, without the head: ``encoder.0.self_attn.q``
    head: int | None  # None if that tensor has no head axis
    tensor: Tensor  # as drawn, with at most two axes, for instance one head
    index: Index  # the index of the cell in ``tensor``
    full: Index  # the index of the cell in the stored tensor

    @property
    def row(self) -> int:
        """The row in which the cell is drawn; a vector has one row."""
        return self.index[0] if len(self.index) == 2 else 0

    @property
    def column(self) -> int:
        """The column in which the cell is drawn."""
        return self.index[-1] if self.index else 0

    @property
    def address(self) -> CellAddress:
        """Path, row and column, which stay valid from pass to pass."""
        return CellAddress(self.path, self.row, self.column)

    @property
    def value(self) -> float:
        """The value of the cell in the pass."""
        return float(self.tensor.value[self.index])


def resolve(trace: Trace, address: CellAddress) -> ResolvedCell:
    """Find the cell of an address in a pass.

    Raises:
        KeyError: the pass has no such matrix; the message is one sentence.
        ValueError: the matrix has no such cell, or the path names no head; one sentence as well.
    """
    path, row, column = address
    tensor = trace[path]
    path, stored, head = matrix_address(tensor.path)
    rows, columns = matrix_shape(tensor)
    if not (0 <= row < rows and 0 <= column < columns):
        raise ValueError(f"{path} has no cell {row}, {column}.")
    index = (row, column)[2 - len(tensor.shape) :]
    full = index if head is None else (head, *index)
    return ResolvedCell(path, stored, head, tensor, index, full)


def resolve_if_there(trace: Trace, address: CellAddress) -> ResolvedCell | None:
    """Find the cell of an address in a pass; None if the pass does not have it."""
    try:
        return resolve(trace, address)
    except (KeyError, ValueError):
        return None
