"""Compares gradients with finite differences: the derivative of a loss in a random direction.

One direction through all numbers detects a wrong gradient as well as one number after another, with
only two passes. All is computed in float64. The step is as large as the curvature of the loss
allows, because this reduces the effect of rounding, which depends on the processor.
"""

from collections.abc import Callable, Mapping

import numpy as np

Arrays = Mapping[str, np.ndarray]

STEP = 1e-4
TOLERANCE = 1e-6
_NOTHING = 1e-4  # rounding hides a derivative far below this


def direction(arrays: Arrays, seed: int) -> dict[str, np.ndarray]:
    """Return a random direction of length 1, with a part for each array."""
    random = np.random.default_rng(seed)
    parts = {name: random.normal(size=array.shape) for name, array in arrays.items()}
    length = np.sqrt(sum((part * part).sum() for part in parts.values()))
    return {name: part / length for name, part in parts.items()}


def error_along(
    loss: Callable[[dict[str, np.ndarray]], float], arrays: Arrays, gradients: Arrays, seed: int
) -> float:
    """Return the relative error of the gradients along a random direction."""
    along = direction(arrays, seed)

    def moved(step: float) -> float:
        return loss({name: array + step * along[name] for name, array in arrays.items()})

    measured = (moved(STEP) - moved(-STEP)) / (2 * STEP)
    claimed = sum(float((gradients[name] * along[name]).sum()) for name in arrays)
    return abs(claimed - measured) / max(abs(claimed), abs(measured), _NOTHING)
