"""The cells that the number on the screen was computed from: a value, or a gradient."""

from __future__ import annotations

from ..inference.forward_pass import ForwardPassRunner
from ..matrices.covering import Rectangle
from ..matrices.resolved_cell import ResolvedCell
from ..scenario.scenario import Scenario
from . import gradient, value


def shown_operands(
    runner: ForwardPassRunner, scenario: Scenario, cell: ResolvedCell
) -> list[Rectangle]:
    """The operands of a cell in the plane that is shown, as rectangles of drawn matrices."""
    if scenario.view.plane == "gradient":
        return gradient.operands(runner.with_gradients(scenario), cell)
    return value.operands(runner.trace(scenario), cell)
