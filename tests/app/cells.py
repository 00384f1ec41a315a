"""Cells, and explanations of them, by path, row and column."""

from tinkerformer.explain import gradient, value
from tinkerformer.explain.details import CellDetails, GradientDetails
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.address import CellAddress
from tinkerformer.model.matrices.covering import Rectangle
from tinkerformer.model.matrices.resolved_cell import ResolvedCell, resolve
from tinkerformer.model.scenario.scenario import Scenario

from transformer_math import Trace


def cell_at(trace: Trace, path: str, row: int, column: int) -> ResolvedCell:
    """Return a cell of a forward pass."""
    return resolve(trace, CellAddress(path, row, column))


def details(
    runner: ForwardPassRunner, scenario: Scenario, path: str, row: int, column: int
) -> CellDetails:
    """Return the explanation of a cell's value."""
    return value.details(runner, scenario, cell_at(runner.trace(scenario), path, row, column))


def gradient_details(
    runner: ForwardPassRunner, scenario: Scenario, path: str, row: int, column: int
) -> GradientDetails:
    """Return the explanation of a cell's gradient."""
    return gradient.details(runner, scenario, cell_at(runner.trace(scenario), path, row, column))


def operands(trace: Trace, path: str, row: int, column: int) -> list[Rectangle]:
    """Return the cells from which a cell was computed."""
    return value.operands(trace, cell_at(trace, path, row, column))
