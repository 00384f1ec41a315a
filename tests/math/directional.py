"""Gradients held against finite differences: the derivative of a loss along a random direction.

One direction through all numbers at once tells a wrong gradient as well as one number after the
other would, and takes two passes. Everything is float64. The step is as large as the curve of the
loss allows: what two losses are rounded by, which hangs on the processor, counts the less.
"""

from collections.abc import Callable, Mapping

import numpy as np

Arrays = Mapping[str, np.ndarray]

STEP = 1e-4
TOLERANCE = 1e-6
_NOTHING = 1e-4  # a derivative far below this cannot be told from rounding


def direction(arrays: Arrays, seed: int) -> dict[str, np.ndarray]:
    """A random direction of length 1, with a part in each array."""
    random = np.random.default_rng(seed)
    parts = {name: random.normal(size=array.shape) for name, array in arrays.items()}
    length = np.sqrt(sum((part * part).sum() for part in parts.values()))
    return {name: part / length for name, part in parts.items()}


def error_along(
    loss: Callable[[dict[str, np.ndarray]], float], arrays: Arrays, gradients: Arrays, seed: int
) -> float:
    """How far the derivative that the gradients claim is from the measured one, relative to it."""
    along = direction(arrays, seed)

    def moved(step: float) -> float:
        return loss({name: array + step * along[name] for name, array in arrays.items()})

    measured = (moved(STEP) - moved(-STEP)) / (2 * STEP)
    claimed = sum(float((gradients[name] * along[name]).sum()) for name in arrays)
    return abs(claimed - measured) / max(abs(claimed), abs(measured), _NOTHING)
