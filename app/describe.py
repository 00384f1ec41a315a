"""What the page says of one cell. All of it is asked of the op that made it. Pure: no panel."""

from __future__ import annotations

from typing import Any

from app import labels
from app.cells import own_index, seen
from app.compute import Computer
from app.scenario import Scenario
from transformer_math import Trace, explain
from transformer_math.expression import Cell, Expression, Number
from transformer_math.tensor import Tensor, split_head

Rectangle = tuple[str, int, int, int, int]


def details(
    computer: Computer, scenario: Scenario, path: str, row: int, column: int
) -> dict[str, Any]:
    """Symbol, place, formula and arithmetic of a cell, and whether it can be edited.

    Raises:
        KeyError: no such matrix.
        ValueError: no such cell.
    """
    trace = computer.trace(scenario)
    tensor = trace[path]
    index = own_index(tensor, row, column)
    stored, head = split_head(path)
    full = index if head is None else (head, *index)
    symbol = tensor.symbol if scenario.settings.heads > 1 else trace[stored].symbol
    found: dict[str, Any] = {
        "path": path,
        "i": row,
        "j": column,
        "symbol": symbol,
        "title": labels.place_words(path),
        "where": _where(scenario, stored, tensor, index),
        "editable": stored in scenario.config.parameter_shapes(),
    }
    if found["editable"]:
        found["edited"] = scenario.edit_at(path, index) in scenario.edits
        found["original"] = computer.original(scenario, stored, full)
        found["note"] = "A learned number of the model."
    elif tensor.is_leaf:
        found["note"] = "Given, not computed."
    else:
        expression = explain(trace, path, index)
        found["formula"] = f"{symbol} = {_formula(tensor, head)}"
        found["arithmetic"] = _arithmetic(scenario, tensor, Cell(trace[stored], full), expression)
    return found


def operands(trace: Trace, path: str, row: int, column: int) -> list[Rectangle]:
    """The cells that a cell was computed from, as rectangles of drawn matrices."""
    tensor = trace[path]
    if tensor.is_leaf:
        return []
    boxes: dict[str, Rectangle] = {}
    for cell in explain(trace, path, own_index(tensor, row, column)).operands():
        at, place = Cell(seen(cell.tensor), cell.index).address
        i, j = place if len(place) == 2 else (0, *place)
        _, top, left, bottom, right = boxes.get(at, (at, i, j, i, j))
        boxes[at] = (at, min(top, i), min(left, j), max(bottom, i), max(right, j))
    return list(boxes.values())


def _formula(tensor: Tensor, head: int | None) -> str:
    inputs = [seen(source) for source in tensor.inputs]
    return tensor.op.latex(
        *[
            t.head(head).symbol if head is not None and t.dims[0] == "head" else t.symbol
            for t in inputs
        ]
    )


def _where(scenario: Scenario, stored: str, tensor: Tensor, index: tuple[int, ...]) -> str:
    words = []
    for name, axis, size, i in zip(
        ("row", "column") if len(index) == 2 else ("column",),
        tensor.dims,
        tensor.shape,
        index,
        strict=True,
    ):
        words.append(f"{name} {labels.axis_labels(scenario, stored, axis, size)[i] or '∅'}")
    return ", ".join(words)


def _arithmetic(
    scenario: Scenario, tensor: Tensor, cell: Cell, expression: Expression
) -> list[str]:
    """The cell in symbols, then in numbers, then its value."""

    def name(operand: Cell) -> str:
        return labels.cell_name(scenario, Cell(seen(operand.tensor), operand.index))

    lines = [f"{labels.cell_name(scenario, cell)}"]
    if isinstance(expression, Number):
        return [*lines, "= set by hand"]
    symbols, numbers = expression.symbols(name), expression.numbers()
    lines.append(f"= {symbols}")
    if numbers != symbols:
        lines.append(f"= {numbers}")
    return lines
