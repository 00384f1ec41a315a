"""Large matrices: which are, what an overview shows of one, and the window on it.

A matrix too large to be read is drawn twice: as an *overview*, in which one dot stands for a block
of cells, and as a *window*, a few of its real numbers. Both are parts of the matrix with paths of
their own (see ``address``).
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from transformer_math.ops.tensor import Tensor

from ..scenario.matrix_address import matrix_address
from .address import Part

MAX_ON_A_SIDE, MAX_CELLS = 96, 4096  # what is larger in any way is drawn as overview and window
OVERVIEW_ROWS, OVERVIEW_COLUMNS = 96, 160
# So wide that a formula of three matrices still reads on one line.
WINDOW = 10, 8
LIKELIEST = 12  # words sent of each row of large probabilities

Cell = tuple[int, int]
Windows = Mapping[str, Cell]


class Block(NamedTuple):
    """How many rows and columns of a matrix one dot of its overview stands for."""

    rows: int
    columns: int


def is_large(rows: int, columns: int) -> bool:
    """Whether a matrix is drawn as an overview and a window."""
    return max(rows, columns) > MAX_ON_A_SIDE or rows * columns > MAX_CELLS


def block_of(rows: int, columns: int) -> Block:
    """The block that brings a matrix to the size of an overview; powers of two read well."""
    return Block(_share(rows, OVERVIEW_ROWS), _share(columns, OVERVIEW_COLUMNS))


def block_in(part: Part, rows: int, columns: int) -> Block:
    """The block of an overview of a matrix of this size: the part's own, or the usual one."""
    own = part.rows, part.columns
    if own[0] and own[1]:
        return Block(min(own[0], rows), min(own[1], columns))
    return block_of(rows, columns)


def overview_shape(rows: int, columns: int, block: Block | None = None) -> Cell:
    """Rows and columns of dots."""
    block = block or block_of(rows, columns)
    return -(-rows // block.rows), -(-columns // block.columns)


def window_shape(rows: int, columns: int, most: Cell = WINDOW) -> Cell:
    """Rows and columns of the window, which has at most so many."""
    return min(rows, most[0]), min(columns, most[1])


def pooled(values: np.ndarray, block: Block) -> np.ndarray:
    """The number of largest magnitude in each block; of two that are as large, the positive one.

    Args:
        values: (…, rows, columns).
        block: cells that one dot stands for; the last row and column of dots may stand for fewer.

    Returns:
        (…, ⌈rows / block.rows⌉, ⌈columns / block.columns⌉).
    """
    largest = _reduced(np.maximum, values, block)
    smallest = _reduced(np.minimum, values, block)
    return np.where(largest >= -smallest, largest, smallest)


def pooled_again(
    overview: np.ndarray, values: np.ndarray, block: Block, cells: Iterable[Cell]
) -> np.ndarray:
    """The overview of ``values``, which differ from what ``overview`` shows in these cells only.

    Args:
        overview: (rows of dots, columns of dots), what ``pooled`` gave before; it is not changed.
        values: (rows, columns).
        block: as for ``pooled``.
        cells: row and column of each cell that may differ.
    """
    result = overview.copy()
    for i, j in dots_of(cells, block):
        top, left = i * block.rows, j * block.columns
        part = values[top : top + block.rows, left : left + block.columns]
        result[i, j] = pooled(part, block)[0, 0]
    return result


def dots_of(cells: Iterable[Cell], block: Block) -> set[Cell]:
    """The dots of an overview that stand for these cells."""
    return {(i // block.rows, j // block.columns) for i, j in cells}


def clamped(place: Cell, rows: int, columns: int, most: Cell = WINDOW) -> Cell:
    """The upper left corner of a window, moved so that the window lies in the matrix."""
    height, width = window_shape(rows, columns, most)
    row, column = place
    return max(0, min(row, rows - height)), max(0, min(column, columns - width))


def holding(place: Cell, rows: int, columns: int, cell: Cell, most: Cell = WINDOW) -> Cell:
    """Where the window goes to show a cell: it stays if it does, else the cell is in its middle."""
    height, width = window_shape(rows, columns, most)
    (top, left), (i, j) = clamped(place, rows, columns, most), cell
    if top <= i < top + height and left <= j < left + width:
        return top, left
    return clamped((i - height // 2, j - width // 2), rows, columns, most)


def likeliest(probabilities: np.ndarray, count: int = LIKELIEST) -> np.ndarray:
    """The columns (rows, count) of the largest numbers of each row (rows, columns), best first."""
    count = min(count, probabilities.shape[-1])
    some = np.argpartition(-probabilities, count - 1, axis=-1)[:, :count]
    order = np.argsort(-np.take_along_axis(probabilities, some, -1), axis=-1, kind="stable")
    return np.take_along_axis(some, order, -1)


class Overviews:
    """Overviews of one session's matrices; those of parameters are kept while they stay the same.

    A parameter of a large model has millions of numbers, and most edits leave it alone or change
    one of them.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[str, Block], tuple[np.ndarray, np.ndarray]] = {}

    def of(self, tensor: Tensor, stored: Tensor, block: Block) -> np.ndarray:
        """The overview of a drawn tensor.

        Args:
            tensor: of two axes or one; a head where ``stored`` has heads.
            stored: the tensor of the trace that it is, or is a head of.
            block: the cells that a dot stands for.
        """
        values = as_drawn(tensor.value)
        if not tensor.is_leaf:
            return pooled(values, block)
        given = stored.value if stored.computed is None else stored.computed
        source, overview = self._kept.get((tensor.path, block), (None, None))
        if source is not given or overview is None:
            untouched = tensor.value if tensor.computed is None else tensor.computed
            overview = pooled(as_drawn(untouched), block)
            self._kept[tensor.path, block] = (given, overview)
        if tensor.override is None:
            return overview
        if tensor.override.whole is not None or tensor.override.heads:
            return pooled(values, block)
        return pooled_again(overview, values, block, overridden_cells(tensor))


def overridden_cells(tensor: Tensor) -> list[Cell]:
    """Row and column of each single cell that is edited or overridden in a drawn tensor."""
    if tensor.override is None:
        return []
    head = matrix_address(tensor.path).head
    found = []
    for index in tensor.override.cells:
        if head is not None:
            if index[0] != head:
                continue
            index = index[1:]
        found.append((0, index[0]) if len(index) == 1 else (index[0], index[1]))
    return found


def as_drawn(value: np.ndarray) -> np.ndarray:
    """A vector as a matrix of one row; a matrix as it is."""
    return value if value.ndim == 2 else value[None]


def _share(size: int, most: int) -> int:
    share = 1
    while -(-size // share) > most:
        share *= 2
    return share


def _reduced(largest: np.ufunc, values: np.ndarray, block: Block) -> np.ndarray:
    # Rows first: whole rows lie one after the other in memory, and most of the work is done then.
    for axis, step in ((-2, block.rows), (-1, block.columns)):
        if step > 1:
            starts = np.arange(0, values.shape[axis], step)
            values = largest.reduceat(values, starts, axis=axis)
    return values
