"""What a training has beside its weights, so that it goes on as if it had never stopped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .scenario import Scenario


@dataclass(frozen=True, eq=False, slots=True, weakref_slot=True)
class Moments:
    """Adam's running means after the step that gave a scenario its weights.

    Attributes:
        scenario: with the weights of that step, and with what they were trained by.
        m: path -> the mean of the gradient.
        v: path -> the mean of its square.
    """

    scenario: Scenario
    m: Mapping[str, np.ndarray]
    v: Mapping[str, np.ndarray]

    def are_of(self, scenario: Scenario) -> bool:
        """Whether a training of this scenario goes on with them."""
        mine = self.scenario
        return (
            mine.weights is not None
            and scenario.weights is mine.weights
            and scenario.steps_taken == mine.steps_taken
            and scenario.settings == mine.settings
            and scenario.recipe == mine.recipe
            and scenario.data == mine.data
        )
