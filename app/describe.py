"""What the page says of one cell. All of it is asked of the op that made it. Pure: no panel."""

from __future__ import annotations

from typing import Any

from app import labels
from app.cells import own_index, seen
from app.compute import Computer
from app.scenario import Scenario
from transformer_math import Trace, explain
from transformer_math.expression import Cell, Expression
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
        "editable": scenario.shape(stored) is not None,
        "parameter": scenario.is_parameter(path),
    }
    if found["editable"]:
        found["edited"] = scenario.edit_at(path, index) in scenario.edits
        found["edited_here"] = any(edit.path == stored for edit in scenario.edits)
    if found["parameter"]:
        found["original"] = computer.original(scenario, stored, full)
        found["note"] = "A parameter: training would find its value; here the seed drew it."
    elif tensor.is_leaf:
        found["note"] = "Given, not computed."
    else:
        if found["edited"]:
            assert tensor.computed is not None
            found["original"] = float(tensor.computed[index])
            found["renormalizes"] = stored.endswith(".weights")
        # Of a cell set by hand this is how it would have been computed.
        expression = trace[stored].op.explain(trace[stored], full)
        found["formula"] = f"{symbol} = {_formula(tensor, head)}"
        found["note"] = tensor.op.note
        found["operands"] = _listed(scenario, expression)
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


MOST_LISTED = 40


def _listed(scenario: Scenario, expression: Expression) -> list[dict[str, Any]]:
    """The operands one by one, for a reader to go to: where each is, its name and its number."""
    listed: dict[tuple[str, tuple[int, ...]], dict[str, Any]] = {}
    for operand in expression.operands():
        cell = Cell(seen(operand.tensor), operand.index)
        at, place = cell.address
        if cell.tensor.value.dtype.kind != "f" or (at, place) in listed:
            continue
        if len(listed) == MOST_LISTED:
            break
        i, j = place if len(place) == 2 else (0, *place)
        name = labels.cell_name(scenario, cell)
        listed[at, place] = {"path": at, "i": i, "j": j, "name": name, "value": cell.evaluate()}
    return [
        {**entry, "value": None if abs(entry["value"]) == float("inf") else entry["value"]}
        for entry in listed.values()
    ]


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
        label = labels.axis_labels(scenario, stored, axis, size)[i] or "∅"
        is_word = axis in labels.AXIS_WORDS and axis not in ("head_d_v", "max_position")
        words.append(f"{name} “{label}”" if is_word else f"{name} {label}")
    return ", ".join(words)


def _arithmetic(
    scenario: Scenario, tensor: Tensor, cell: Cell, expression: Expression
) -> list[str]:
    """The cell in symbols, then in numbers, then its value."""

    def name(operand: Cell) -> str:
        return labels.cell_name(scenario, Cell(seen(operand.tensor), operand.index))

    lines = [f"{labels.cell_name(scenario, cell)}"]
    symbols, numbers = expression.symbols(name), expression.numbers()
    lines.append(f"= {symbols}")
    if numbers != symbols:
        lines.append(f"= {numbers}")
    return lines
