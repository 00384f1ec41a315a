"""Explains a cell of a matrix product: a row times a column, product by product."""

import math
from typing import NotRequired, TypedDict

from transformer_math.ops.expression import Cell, Expression, Product, Sum

from ..model.scenario.axis_tokens import AxisTokens
from . import labels
from .shown_cell import shown_cell

MAX_TERMS = 48  # products; if there are more, only the largest are drawn


class Strip(TypedDict):
    """The cells of a row or a column that are multiplied."""

    name: str  # the name of the row or column: ``X[cat, ·]``
    values: list[float | None]  # a factor of each product; None if the factor is not finite


class Strips(TypedDict):
    """A row and a column whose products are summed, and the number that is added to the sum."""

    row: Strip  # the left factors
    column: Strip  # the right factors
    labels: list[str]  # the label of each product along the summed axis
    bias: NotRequired[tuple[str, float]]  # name and value of the summand that is not a product
    rest: NotRequired[tuple[int, float]]  # the number and the sum of the products that are left out


def strips(tokens: AxisTokens, expression: Expression) -> Strips | None:
    """Return the row and the column whose products are summed; None for any other kind of cell."""
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
    """Return the only axis along which the cells of a tensor differ; None if there is none."""
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
    """Split the products into the largest in magnitude and the others; both keep their order."""
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
