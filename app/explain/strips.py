"""A cell of a matrix product as what it is: a row times a column, number by number."""

from __future__ import annotations

import math
from typing import NotRequired, TypedDict

from transformer_math.ops.expression import Cell, Expression, Product, Sum

from ..scenario.axis_tokens import AxisTokens
from . import labels
from .shown_cell import shown_cell

MAX_TERMS = 48  # of more products the largest are drawn


class Strip(TypedDict):
    """The cells of a row or a column that are multiplied.

    Attributes:
        name: of them all: ``X[cat, ·]``.
        values: one for each product; None where it is not finite.
    """

    name: str
    values: list[float | None]


class Strips(TypedDict):
    """A row, a column, and what is added to the sum of their products.

    Attributes:
        row: what stands on the left.
        column: what stands on the right.
        labels: what the place of each product is called.
        bias: what is added, by its name.
        rest: how many more products there are, and what they come to.
    """

    row: Strip
    column: Strip
    labels: list[str]
    bias: NotRequired[tuple[str, float]]
    rest: NotRequired[tuple[int, float]]


def strips(tokens: AxisTokens, expression: Expression) -> Strips | None:
    """A row and a column whose products are added up; None if that is not how a cell arose."""
    if not isinstance(expression, Sum):
        return None
    pairs = [_pair(part) for part in expression.parts]
    terms = [pair for pair in pairs if pair]
    added = [part for part, pair in zip(expression.parts, pairs, strict=True) if not pair]
    if len(terms) < 2 or len(added) > 1 or any(not isinstance(part, Cell) for part in added):
        return None
    axes = [_axis([pair[side] for pair in terms]) for side in (0, 1)]
    if axes[0] is None or axes[1] is None:
        return None
    kept, left_out = _largest(terms)
    found: Strips = {
        "row": _strip(tokens, [pair[0] for pair in kept], axes[0]),
        "column": _strip(tokens, [pair[1] for pair in kept], axes[1]),
        "labels": [_label(tokens, pair[0], axes[0]) for pair in kept],
    }
    for part in added:
        assert isinstance(part, Cell)
        found["bias"] = (labels.cell_name(tokens, shown_cell(part)), part.evaluate())
    if left_out:
        found["rest"] = (len(left_out), math.fsum(a.evaluate() * b.evaluate() for a, b in left_out))
    return found


def _pair(part: Expression) -> tuple[Cell, Cell] | None:
    if not isinstance(part, Product) or len(part.parts) != 2:
        return None
    left, right = part.parts
    return (left, right) if isinstance(left, Cell) and isinstance(right, Cell) else None


def _axis(cells: list[Cell]) -> int | None:
    """Along which axis these are the cells of one tensor; None if along none or several."""
    first = cells[0]
    if any(cell.tensor.path != first.tensor.path for cell in cells):
        return None
    found = {
        axis
        for cell in cells
        for axis, (i, j) in enumerate(zip(first.index, cell.index, strict=True))
        if i != j
    }
    return found.pop() if len(found) == 1 else None


def _largest(
    terms: list[tuple[Cell, Cell]],
) -> tuple[list[tuple[Cell, Cell]], list[tuple[Cell, Cell]]]:
    """The products of largest magnitude in their order, and the others."""
    if len(terms) <= MAX_TERMS:
        return terms, []
    sizes = [abs(a.evaluate() * b.evaluate()) for a, b in terms]
    best = set(sorted(range(len(terms)), key=lambda k: -sizes[k])[:MAX_TERMS])
    kept = [pair for k, pair in enumerate(terms) if k in best]
    return kept, [pair for k, pair in enumerate(terms) if k not in best]


def _strip(tokens: AxisTokens, cells: list[Cell], axis: int) -> Strip:
    values = [cell.evaluate() for cell in cells]
    return {
        "name": labels.line_name(tokens, shown_cell(cells[0]), axis),
        "values": [x if math.isfinite(x) else None for x in values],
    }


def _label(tokens: AxisTokens, cell: Cell, axis: int) -> str:
    dim, at = cell.tensor.dims[axis], cell.index[axis]
    size = cell.tensor.shape[axis]
    return labels.axis_labels(tokens, cell.tensor.path, dim, size, at, at + 1)[0] or "∅"
