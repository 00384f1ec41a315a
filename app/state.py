"""What one visitor has chosen and is looking at. No derived value is stored."""

from __future__ import annotations

from typing import NamedTuple

import param

from app.compute import Computer
from app.scenario import Scenario
from transformer_math import Trace


class Selection(NamedTuple):
    """The selected cell: the path of a two-dimensional matrix, row and column."""

    path: str
    row: int
    column: int


class Oscillation(NamedTuple):
    """How the selected cell swings."""

    amplitude: float = 2.0
    period: float = 2.0
    on: bool = False


class AppState(param.Parameterized):
    """The current scenario, the selected cell and its oscillation."""

    scenario = param.ClassSelector(class_=Scenario, doc="All that was chosen.")
    selection = param.ClassSelector(class_=Selection, allow_None=True, doc="The selected cell.")
    oscillation = param.ClassSelector(class_=Oscillation, doc="How the selected cell swings.")

    def __init__(self, scenario: Scenario | None = None) -> None:
        super().__init__(scenario=scenario or Scenario(), oscillation=Oscillation())
        self.computer = Computer()

    @property
    def trace(self) -> Trace:
        """The forward pass of the current scenario, computed when first asked for."""
        return self.computer.trace(self.scenario)
