"""The optimizer state of a training run, with which the run can resume where it stopped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .scenario import Scenario


@dataclass(frozen=True, eq=False, slots=True, weakref_slot=True)
class Moments:
    """Adam's moment estimates after the step that gave a scenario its weights."""

    scenario: Scenario  # has the weights of that step and the recipe that trained them
    m: Mapping[str, np.ndarray]  # path -> the running mean of the gradient
    v: Mapping[str, np.ndarray]  # path -> the running mean of the gradient's square

    def are_of(self, scenario: Scenario) -> bool:
        """Return whether training this scenario can resume from these moments."""
        mine = self.scenario
        return (
            mine.weights is not None
            and scenario.weights is mine.weights
            and scenario.steps_taken == mine.steps_taken
            and scenario.settings == mine.settings
            and scenario.recipe == mine.recipe
            and scenario.data == mine.data
        )
