"""Parts of matrices, which the page draws as separate matrices.

The path of a part is that of its matrix, followed by ``@`` and the part:

* ``…q@3`` is row 3, ``…scores@3,5`` one cell;
* ``…W_1@24+12,96+12`` is a window: twelve rows from row 24, twelve columns from column 96;
* ``…W_1@overview`` is the whole matrix with one number for each block of cells (see ``overview``),
  and ``…W_1@overview4x8`` the same with blocks of four rows and eight columns;
* ``…probabilities@likeliest`` has the largest numbers of each row, largest first;
* ``…pair@3,5`` has the products of query 3 and key 5 whose sum is their raw score.
"""

import re
from typing import NamedTuple

import numpy as np

from transformer_math.graph.paths import TENSORS, kind_of

from ..scenario.matrix_address import matrix_address

PROBABILITIES = "output.probabilities"
Answer = tuple[int, int]  # a position, and a candidate for the next word
PAIR = "pair"
OVERVIEW, BEST = "overview", "likeliest"

_BLOCK = re.compile(rf"{OVERVIEW}(?:(\d+)x(\d+))?")
_ADDRESS = re.compile(r"([^\[\]]{1,90})\[(\d{1,6}),(\d{1,6})\]", re.ASCII)
_CELLS = re.compile(r"(\d+)(?:\+(\d+))?(?:,(\d+)(?:\+(\d+))?)?")


class CellAddress(NamedTuple):
    """A cell of a drawn matrix: path, row and column."""

    path: str
    row: int
    column: int

    @property
    def position(self) -> int | None:
        """The token position of the row; None if rows do not belong to tokens."""
        scope, _, leaf = matrix_address(self.path).stored.rpartition(".")
        spec = TENSORS.get(kind_of(scope), {}).get(leaf)
        return self.row if spec is not None and spec.dims[-2:-1] == ("position",) else None


def address_text(address: CellAddress) -> str:
    """Format an address, as in ``encoder.0.self_attn.W_o[2,0]``, for a link or a form."""
    path, row, column = address
    return f"{path}[{row},{column}]"


def read_address(text: str) -> CellAddress | None:
    """Parse the text of ``address_text``; None if it is not an address."""
    found = _ADDRESS.fullmatch(text)
    return CellAddress(found[1], int(found[2]), int(found[3])) if found else None


class Part(NamedTuple):
    """A part of a drawn matrix: a range of its cells, or numbers computed from its cells."""

    path: str  # the matrix that contains the part; for products, the raw scores
    row: int = 0  # the first row
    column: int = 0  # the first column
    rows: int = 1  # the number of rows, in an overview those of a block (0: the default)
    columns: int | None = 1  # the number of columns (None: all), in an overview those of a block
    made: str = ""  # ``products``, ``overview`` or ``likeliest``; empty for the cells themselves

    def cut(self, values: np.ndarray) -> np.ndarray:
        """Select the part's cells from an array (…, rows, columns)."""
        end = None if self.columns is None else self.column + self.columns
        return values[..., self.row : self.row + self.rows, self.column : end]


def part_of(path: str) -> Part | None:
    """Parse a path with ``@``; None for a whole matrix, ``KeyError`` for an invalid part."""
    whole, at, place = path.partition("@")
    if not at:
        return None
    if place == BEST:
        return Part(whole, made=BEST)
    blocks = _BLOCK.fullmatch(place)
    if blocks and place.isascii():
        high, wide = (int(n or 0) for n in blocks.groups())
        if bool(high) == bool(wide) and (blocks[1] is None or high):
            return Part(whole, rows=high, columns=wide, made=OVERVIEW)
    found = _CELLS.fullmatch(place)
    scope, _, leaf = whole.rpartition(".")
    products = leaf == PAIR
    if not found or not place.isascii() or (products and found[3] is None):
        raise KeyError(f"{path} is no part of a matrix.")
    row, rows, column, columns = (None if n is None else int(n) for n in found.groups())
    assert row is not None
    if products:
        return Part(f"{scope}.raw_scores", row, column or 0, made="products")
    if column is None:
        return Part(whole, row, 0, rows or 1, None)
    return Part(whole, row, column, rows or 1, columns or 1)


def whole_of(path: str) -> str:
    """Return the path of the whole matrix that a path belongs to."""
    return path.partition("@")[0]


def window_path(path: str, place: tuple[int, int], shape: tuple[int, int]) -> str:
    """Return the path of a window with this upper left corner and shape."""
    return f"{path}@{place[0]}+{shape[0]},{place[1]}+{shape[1]}"


def overview_path(path: str, block: tuple[int, int] | None = None) -> str:
    """Return the path of a matrix's overview, with the default or the given block size."""
    return f"{path}@{OVERVIEW}" + ("" if block is None else f"{block[0]}x{block[1]}")


def is_overview(path: str) -> bool:
    """Return whether a path denotes an overview."""
    return path.partition("@")[2].startswith(OVERVIEW)


def likeliest_path(path: str) -> str:
    """Return the path of the part with the largest numbers of each row."""
    return f"{path}@{BEST}"
