"""Matrices as the page draws them: two-dimensional, with marks. Pure: no panel.

A vector is drawn as one row; a stack of heads as one matrix for each head. A part of a matrix has
a path of its own: ``…head.0.q@3`` is row 3, ``…head.0.scores@3,5`` one cell, and
``…head.0.pair@3,5`` the products of query 3 and key 5 whose sum is their raw score.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from app.scenario import Scenario
from transformer_math import Trace
from transformer_math.ops import IDENTITY, Dropout
from transformer_math.tensor import Index, Tensor, split_head

DROPPED, EDITED, OVERRIDDEN, REACHED = 1, 2, 4, 8

PAIR = "pair"


class Part(NamedTuple):
    """A row of a drawn matrix, a cell of it, or the products behind a raw score.

    Attributes:
        path: the matrix it belongs to; of products, the raw scores.
        row: which row.
        column: which column; None for the whole row.
        products: whether it stands for the products behind the cell.
    """

    path: str
    row: int
    column: int | None = None
    products: bool = False


def part_of(path: str) -> Part | None:
    """What a path with ``@`` stands for; None for a whole matrix.

    Raises:
        KeyError: what follows the ``@`` is no place.
    """
    whole, at, place = path.partition("@")
    if not at:
        return None
    row, comma, column = place.partition(",")
    scope, _, leaf = whole.rpartition(".")
    products = leaf == PAIR
    if not row.isdecimal() or ((comma or products) and not column.isdecimal()):
        raise KeyError(f"{path} is no part of a matrix.")
    name = f"{scope}.raw_scores" if products else whole
    return Part(name, int(row), int(column) if comma else None, products)


def own_index(tensor: Tensor, row: int, column: int) -> Index:
    """The index of a drawn cell in the tensor itself.

    Raises:
        ValueError: the tensor has no such cell.
    """
    shape = drawn_shape(tensor)
    if not (0 <= row < shape[0] and 0 <= column < shape[1]):
        raise ValueError(f"{tensor.path} has no cell {row}, {column}.")
    return (row, column) if len(tensor.shape) == 2 else (column,)


def drawn_shape(tensor: Tensor) -> tuple[int, int]:
    """Rows and columns of a tensor as it is drawn."""
    rows, columns = tensor.shape if len(tensor.shape) == 2 else (1, *tensor.shape)
    return rows, columns


def drawn(scenario: Scenario, trace: Trace, path: str) -> tuple[np.ndarray, np.ndarray | None]:
    """Values and marks of a matrix; no marks where no cell has one."""
    part = part_of(path)
    if part is None:
        tensor = trace[path]
        return tensor.value.reshape(drawn_shape(tensor)), _marks(scenario, tensor)
    if part.products:
        stored, cell = _score(trace, part)
        return _products(stored, cell)[None, :], None
    values, marks = drawn(scenario, trace, part.path)
    return _cut(values, part), None if marks is None else _cut(marks, part)


def with_reach(
    marks: np.ndarray | None, reached: Mapping[str, np.ndarray], path: str, shape: tuple[int, ...]
) -> np.ndarray | None:
    """The marks of a matrix, and one more on each cell that is reached."""
    stored, head = split_head(path)
    if not reached or stored not in reached:
        return marks
    hit = reached[stored] if head is None else reached[stored][head]
    more = np.where(hit.reshape(shape), REACHED, 0).astype(np.uint8)
    return more if marks is None else marks | more


def drawn_orbit(swept: Trace, path: str) -> np.ndarray | None:
    """The frames (T, rows, columns) of a matrix in a sweep; None where it stands still."""
    part = part_of(path)
    if part is not None and part.products:
        stored, cell = _score(swept, part)
        read = [tensor for tensor in stored.inputs if "sweep" in tensor.dims]
        if not read:
            return None
        count = len(read[0].value)
        return np.stack([_products(_frame(stored, t), cell) for t in range(count)])[:, None, :]
    tensor = swept[path if part is None else part.path]
    if "sweep" not in tensor.dims:
        return None
    frames = tensor.value if tensor.value.ndim == 3 else tensor.value[:, None, :]
    return frames if part is None else _cut(frames, part)


def seen(tensor: Tensor) -> Tensor:
    """Past steps that are switched off: the tensor that is drawn in this one's place."""
    while tensor.op is IDENTITY:
        tensor = tensor.inputs[0]
    return tensor


def _cut(values: np.ndarray, part: Part) -> np.ndarray:
    columns = slice(None) if part.column is None else slice(part.column, part.column + 1)
    return values[..., part.row : part.row + 1, columns]


def _score(trace: Trace, part: Part) -> tuple[Tensor, Index]:
    """The raw scores of all heads, and the cell of them whose products are meant."""
    path, head = split_head(part.path)
    assert part.column is not None
    place = (part.row, part.column)
    return trace[path], place if head is None else (head, *place)


def _products(scores: Tensor, cell: Index) -> np.ndarray:
    """The terms of a score's sum, as its op explains it; also where the score is set by hand."""
    terms = [term.evaluate() for term in scores.op.explain(scores, cell).parts]
    return np.array(terms, scores.value.dtype)


def _frame(tensor: Tensor, t: int) -> Tensor:
    """One frame of a sweep: the tensor with inputs as they are at that moment."""
    inputs = tuple(
        Tensor(x.value[t], x.op, x.inputs, x.path, x.dims[1:], x.symbol) if "sweep" in x.dims else x
        for x in tensor.inputs
    )
    swept = "sweep" in tensor.dims
    value, dims = (tensor.value[t], tensor.dims[1:]) if swept else (tensor.value, tensor.dims)
    return Tensor(value, tensor.op, inputs, tensor.path, dims, tensor.symbol)


def _marks(scenario: Scenario, tensor: Tensor) -> np.ndarray | None:
    stored, head = split_head(tensor.path)
    marks: np.ndarray | None = None
    if isinstance(tensor.op, Dropout):
        kept = tensor.op.kept if head is None else tensor.op.kept[head]
        marks = np.where(kept, 0, DROPPED).astype(np.uint8).reshape(drawn_shape(tensor))
    by_hand = tensor.by_hand
    if by_hand is not None and by_hand.any():
        is_parameter = stored in scenario.config.parameter_shapes()
        set_by_hand = np.where(by_hand, EDITED if is_parameter else OVERRIDDEN, 0)
        drawn = set_by_hand.astype(np.uint8).reshape(drawn_shape(tensor))
        marks = drawn if marks is None else marks | drawn
    return marks
