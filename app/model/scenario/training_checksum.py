"""A short checksum of trained weights, for estimating their difference from other weights.

A link has no room for weights, so it describes their training and contains this checksum.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .scenario import Scenario
from .weights import Weights

SUMS = 8


class TrainingChecksum(NamedTuple):
    """Sums of randomly signed weights after a training step.

    Each weight belongs to one sum. The squares of the differences between two checksums add up to
    about the sum of the squared differences between the weights (Alon, Matias and Szegedy, "The
    space complexity of approximating the frequency moments", 1996).
    """

    step: int
    sums: tuple[float, ...]

    @classmethod
    def of(cls, weights: Weights, step: int) -> TrainingChecksum:
        """Return the checksum of all trained parameters after this many steps."""
        numbers = np.concatenate([weights.arrays[path].ravel() for path in sorted(weights.arrays)])
        signs = np.random.PCG64(1).random_raw(numbers.size) & 1  # the same in all versions of NumPy
        signed = np.where(signs, numbers, -numbers).astype(np.float64)
        # fsum rounds once, so the result does not depend on the order of additions.
        return cls(step, tuple(math.fsum(signed[k::SUMS]) for k in range(SUMS)))

    def difference(self, weights: Weights) -> float:
        """Estimate the root mean square of the differences from other weights; 0 only if equal."""
        found = TrainingChecksum.of(weights, self.step)
        count = sum(array.size for array in weights.arrays.values())
        return math.dist(found.sums, self.sums) / math.sqrt(count)


@dataclass(frozen=True, eq=False)
class RepeatedTraining:
    """A training run that the page repeats because a link or a tab kept no weights."""

    scenario: Scenario  # as it was opened
    step: int  # the last step to repeat
    checksum: TrainingChecksum | None  # of the original weights; None if unknown

    @classmethod
    def of(cls, scenario: Scenario, checksum: TrainingChecksum | None) -> RepeatedTraining | None:
        """Return the training to repeat for an opened model; None if its weights are present."""
        is_begun = scenario.weights is not None
        step = checksum.step if checksum is not None else 0 if is_begun else scenario.steps_taken
        has_steps = step > (scenario.steps_taken if is_begun else 0)
        return cls(scenario, step, checksum) if has_steps else None

    def is_of(self, scenario: Scenario) -> bool:
        """Return whether training this scenario still results in the original weights."""
        same = ("model", "settings", "recipe", "data", "training")
        return all(getattr(self.scenario, name) == getattr(scenario, name) for name in same)
