"""Overviews of large matrices, and windows on them.

A matrix that is too large to be read is drawn twice: as an *overview*, in which each dot represents
a block of cells, and as a *window* with a few of its numbers. Both are parts of the matrix and have
paths (see ``address``).
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from transformer_math.ops.tensor import Tensor

from ..scenario.matrix_address import matrix_address
from .address import Part

MAX_ON_A_SIDE, MAX_CELLS = 96, 4096  # larger matrices are drawn as overview and window
OVERVIEW_ROWS, OVERVIEW_COLUMNS = 96, 160
# Narrow enough for a formula of three matrices to fit on one line.
WINDOW = 10, 8
LIKELIEST = 12  # words sent for each row of probabilities over a large vocabulary

Cell = tuple[int, int]
Windows = Mapping[str, Cell]


class Block(NamedTuple):
    """The rows and columns of a matrix that one dot of its overview represents."""

    rows: int
    columns: int


def is_large(rows: int, columns: int) -> bool:
    """Return whether a matrix is drawn as an overview and a window."""
    return max(rows, columns) > MAX_ON_A_SIDE or rows * columns > MAX_CELLS


def block_of(rows: int, columns: int) -> Block:
    """Return the block that reduces a matrix to an overview; both sides are powers of two."""
    return Block(side_of_block(rows, OVERVIEW_ROWS), side_of_block(columns, OVERVIEW_COLUMNS))


def block_in(part: Part, rows: int, columns: int) -> Block:
    """Return the block of an overview part of a matrix of this size; by default, ``block_of``."""
    own = part.rows, part.columns
    if own[0] and own[1]:
        return Block(min(own[0], rows), min(own[1], columns))
    return block_of(rows, columns)


def overview_shape(rows: int, columns: int, block: Block | None = None) -> Cell:
    """Return the rows and columns of dots in an overview."""
    block = block or block_of(rows, columns)
    return -(-rows // block.rows), -(-columns // block.columns)


def window_shape(rows: int, columns: int, most: Cell = WINDOW) -> Cell:
    """Return the rows and columns of a window, at most ``most``."""
    return min(rows, most[0]), min(columns, most[1])


def pooled(values: np.ndarray, block: Block) -> np.ndarray:
    """Return the number with the largest magnitude in each block; in a tie, the positive one.

    Takes (…, rows, columns) and returns (…, ⌈rows / block.rows⌉, ⌈columns / block.columns⌉): the
    last row and column of dots may have fewer cells.
    """
    largest = _reduced(np.maximum, values, block)
    smallest = _reduced(np.minimum, values, block)
    return np.where(largest >= -smallest, largest, smallest)


def pooled_again(
    overview: np.ndarray, values: np.ndarray, block: Block, cells: Iterable[Cell]
) -> np.ndarray:
    """Update an overview for ``values`` that differ from the previous ones in these cells only.

    ``overview`` is the previous result of ``pooled``, and is not modified.
    """
    result = overview.copy()
    for i, j in dots_of(cells, block):
        top, left = i * block.rows, j * block.columns
        part = values[top : top + block.rows, left : left + block.columns]
        result[i, j] = pooled(part, block)[0, 0]
    return result


def dots_of(cells: Iterable[Cell], block: Block) -> set[Cell]:
    """Return the dots of an overview that represent these cells."""
    return {(i // block.rows, j // block.columns) for i, j in cells}


def clamped(place: Cell, rows: int, columns: int, most: Cell = WINDOW) -> Cell:
    """Return the upper left corner of a window, moved so that the window lies within the matrix."""
    height, width = window_shape(rows, columns, most)
    row, column = place
    return max(0, min(row, rows - height)), max(0, min(column, columns - width))


def holding(place: Cell, rows: int, columns: int, cell: Cell, most: Cell = WINDOW) -> Cell:
    """Return the corner of a window with the cell: ``place`` if possible, else centered on it."""
    height, width = window_shape(rows, columns, most)
    (top, left), (i, j) = clamped(place, rows, columns, most), cell
    if top <= i < top + height and left <= j < left + width:
        return top, left
    return clamped((i - height // 2, j - width // 2), rows, columns, most)


def likeliest(probabilities: np.ndarray, count: int = LIKELIEST) -> np.ndarray:
    """Return the columns (rows, count) of the largest numbers in each row, largest first."""
    count = min(count, probabilities.shape[-1])
    some = np.argpartition(-probabilities, count - 1, axis=-1)[:, :count]
    order = np.argsort(-np.take_along_axis(probabilities, some, -1), axis=-1, kind="stable")
    return np.take_along_axis(some, order, -1)


class Overviews:
    """Overviews of one session's matrices; those of unchanged parameters are cached.

    A parameter of a large model has millions of numbers, and most edits change at most one number.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[str, Block], tuple[np.ndarray, np.ndarray]] = {}

    def of(self, tensor: Tensor, stored: Tensor, block: Block) -> np.ndarray:
        """Return the overview of a drawn tensor, which is a single head if ``stored`` has heads."""
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
    """Return row and column of each single cell that is edited or overridden in a drawn tensor."""
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
    """Return a vector as a matrix of one row, and a matrix unchanged."""
    return value if value.ndim == 2 else value[None]


def side_of_block(size: int, most: int) -> int:
    """Return the smallest power of two that divides a side into at most ``most`` parts."""
    side = 1
    while -(-size // side) > most:
        side *= 2
    return side


def _reduced(largest: np.ufunc, values: np.ndarray, block: Block) -> np.ndarray:
    # Rows first: they are contiguous in memory, and this step does most of the work.
    for axis, step in ((-2, block.rows), (-1, block.columns)):
        if step > 1:
            starts = np.arange(0, values.shape[axis], step)
            values = largest.reduceat(values, starts, axis=axis)
    return values
