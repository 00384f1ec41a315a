"""Cells by path, row and column, as tests name them."""

from tinkerformer.explain import gradient, value
from tinkerformer.explain.details import CellDetails, GradientDetails
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.address import CellAddress
from tinkerformer.model.matrices.covering import Rectangle
from tinkerformer.model.matrices.resolved_cell import ResolvedCell, resolve
from tinkerformer.model.scenario.scenario import Scenario

from transformer_math import Trace


def cell_at(trace: Trace, path: str, row: int, column: int) -> ResolvedCell:
    """The cell of a pass."""
    return resolve(trace, CellAddress(path, row, column))


def details(
    runner: ForwardPassRunner, scenario: Scenario, path: str, row: int, column: int
) -> CellDetails:
    """The explanation of a cell's value."""
    return value.details(runner, scenario, cell_at(runner.trace(scenario), path, row, column))


def gradient_details(
    runner: ForwardPassRunner, scenario: Scenario, path: str, row: int, column: int
) -> GradientDetails:
    """The explanation of a cell's gradient."""
    return gradient.details(runner, scenario, cell_at(runner.trace(scenario), path, row, column))


def operands(trace: Trace, path: str, row: int, column: int) -> list[Rectangle]:
    """The cells that a cell was computed from."""
    return value.operands(trace, cell_at(trace, path, row, column))
