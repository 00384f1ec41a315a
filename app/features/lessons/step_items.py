"""Describes the items of a lesson's step, and the state of each, for the browser."""

import math
from typing import Any

from transformer_math import Trace

from ...explain.labels import cell_labels
from ...lessons.format import (
    Compare,
    Dare,
    Do,
    Film,
    Item,
    Look,
    Play,
    Predict,
    Step,
    as_json,
)
from ...lessons.judging import Right
from ...model.matrices.address import CellAddress
from ...model.matrices.resolved_cell import resolve
from ...model.scenario.scenario import Scenario
from ...number_text import fixed

NOTHING: dict[str, Any] = {"kind": "text", "text": []}


def shown(step: Step, rights: dict[int, Right]) -> list[dict[str, Any]]:
    """Return the items of a step in order; items that only move the camera have no text.

    ``rights`` are the known right answers of the step's questions, by item index.
    """
    return [_shown(item, rights.get(k)) for k, item in enumerate(step.items)]


def _shown(item: Item, right: Right | None) -> dict[str, Any]:
    if isinstance(item, Look):
        return NOTHING
    if isinstance(item, (Film, Play)):
        return {"kind": "play", "text": as_json(item.label)}
    if isinstance(item, Compare):
        return {
            "kind": "compare",
            "text": [],
            "before": as_json(item.before),
            "after": as_json(item.after),
        }
    if isinstance(item, Dare):
        return {"kind": "dare", "text": as_json(item.dare)}
    if isinstance(item, Do):
        return {"kind": "do", "text": as_json(item.do)}
    if isinstance(item, Predict):
        form = {"kind": "predict", "text": as_json(item.ask), "form": item.kind}
        if right is None:
            return form
        if item.kind == "number":
            return {**form, "decimals": _decimals(item.tolerance, right.value)}
        return {**form, "choices": [as_json(each) for each in right.choices]}
    return {"kind": "text", "text": as_json(item)}


def _decimals(tolerance: float, right: float) -> int:
    """Return the fewest decimals whose rounding keeps the right answer within the tolerance."""
    if abs(right - round(right)) < min(tolerance, 1e-6):
        return 0
    return max(0, math.ceil(-math.log10(2 * tolerance) - 1e-9))


def answer_said(item: Predict, right: Right, scenario: Scenario, trace: Trace) -> str:
    """Return a right answer as text; a cell is named by its row and column labels."""
    value = right.value
    if item.kind == "choice":
        return "".join(str(each) for each in right.choices[int(value)])
    if item.kind == "cell":
        cell = resolve(trace, CellAddress(item.matrix, right.row, int(value)))
        return " · ".join(cell_labels(scenario.axis_tokens, cell))
    digits = 0 if value == round(value) else 3
    return fixed(value, digits)
