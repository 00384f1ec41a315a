"""Writes the arithmetic of a cell's value or gradient as text."""

import math
from collections.abc import Iterator

import numpy as np

from transformer_math.ops.expression import Cell, Expression, Formatter, plain_number

from ..model.matrices.covering import Rectangle
from ..model.scenario.axis_tokens import AxisTokens
from . import labels
from .details import Operand
from .shown_cell import is_gradient, shown_cell

MAX_LISTED = 40  # operands; all others are only counted


def rectangles(expression: Expression) -> list[Rectangle]:
    """Return the bounding rectangle of the operands in each drawn matrix."""
    boxes: dict[str, Rectangle] = {}
    for cell in _cells(expression):
        at, place = shown_cell(cell).address
        i, j = (0, 0, *place)[-2:]
        _, top, left, bottom, right = boxes.get(at, (at, i, j, i, j))
        boxes[at] = (at, min(top, i), min(left, j), max(bottom, i), max(right, j))
    return list(boxes.values())


def listed(tokens: AxisTokens, expression: Expression) -> tuple[list[Operand], int]:
    """Return the first operands, with address, name and value, and the number of other operands."""
    found: dict[str, Operand | None] = {}
    for operand in _cells(expression):
        cell = shown_cell(operand)
        if cell.tensor.value.dtype.kind != "f":
            continue
        at, place = cell.address
        i, j = (0, 0, *place)[-2:]
        key = f"{at} {i} {j} {is_gradient(cell)}"
        if key in found:
            continue
        if len(found) >= MAX_LISTED:
            found[key] = None
            continue
        name, value = labels.cell_name(tokens, cell), cell.evaluate()
        number = value if math.isfinite(value) else None
        found[key] = {"path": at, "i": i, "j": j, "name": name, "value": number}
    shown = [operand for operand in found.values() if operand]
    return shown, len(found) - len(shown)


def arithmetic(
    tokens: AxisTokens, cell: Cell, expression: Expression, number: Formatter = plain_number
) -> list[str]:
    """Return lines with the cell's name, its arithmetic in symbols and, if informative, in numbers.

    The sign ≈ marks arithmetic with rounded numbers.
    """
    rounded = False

    def name(operand: Cell) -> str:
        return labels.cell_name(tokens, shown_cell(operand))

    def written(x: float) -> str:
        nonlocal rounded
        text = number(x)
        rounded = rounded or not _is_whole(text, x)
        return text

    lines = [f"{labels.cell_name(tokens, cell)}"]
    symbols, numbers = expression.symbols(name), expression.numbers(written)
    lines.append(f"= {symbols}")
    # Omit a line that would only repeat the symbols or a copied number.
    if numbers not in (symbols, written(expression.evaluate())):
        lines.append(f"{'≈' if rounded else '='} {numbers}")
    return lines


def _is_whole(text: str, x: float) -> bool:
    """Return whether a number was written without rounding, in single precision."""
    plain = text.replace("−∞", "-inf").replace("−", "-")
    return bool(np.float32(plain) == np.float32(x))


def _cells(expression: Expression) -> Iterator[Cell]:
    """Yield the operands in reading order, each once."""
    met: set[int] = set()
    pending = [expression]
    while pending:
        node = pending.pop()
        if id(node) in met:
            continue
        met.add(id(node))
        if isinstance(node, Cell):
            yield node
        pending.extend(reversed(node.children()))
