"""Between which numbers a matrix lies, as its colors and its slider have it."""

import math

import numpy as np

from transformer_math.ops import IDENTITY, SOFTMAX, Dropout
from transformer_math.ops.tensor import Index, Tensor

ROOM = 1.5  # times the largest number of a matrix, for each of them to grow
MANY = 1 << 18  # of more numbers only some are looked at


def is_share(tensor: Tensor) -> bool:
    """Whether its numbers are shares of 1: what a softmax gives, before and after dropout."""
    while tensor.op is IDENTITY or isinstance(tensor.op, Dropout):
        tensor = tensor.inputs[0]
    return tensor.op is SOFTMAX


def span(
    tensor: Tensor, index: Index, original: float | None = None, swing: float = 0.0
) -> tuple[float, float]:
    """Between which numbers a cell is to be slid; what it is now is one of them.

    A share is slid from 0 to 1, any other number as far on either side of 0 as fits its matrix.
    The other numbers of that say how far, so that the ends rest while the cell moves.

    Args:
        tensor: drawn as a matrix.
        index: the cell in it.
        original: what the cell was before it was set, if it was.
        swing: how far it swings on either side of what it is.
    """
    now = float(tensor.value[index])
    size = abs(now) if math.isfinite(now) else 0.0
    if is_share(tensor):
        return min(0.0, now), max(1.0, _round_above(size))
    values = np.abs(tensor.value.ravel())
    at = int(np.ravel_multi_index(index, tensor.shape))
    step = -(-values.size // MANY)
    others = np.concatenate([values[:at:step], values[at + 1 :: step]])
    first = original if original is not None and math.isfinite(original) else size
    largest = max(float(others[np.isfinite(others)].max(initial=0)), abs(first))
    end = max(_round_above(ROOM * largest), _round_above(size + swing))
    return -end, end


def _round_above(x: float) -> float:
    """1, 2 or 5 times a power of ten, not below x; 1 where x is 0."""
    if x == 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(x))
    return next(float(f"{k * power:g}") for k in (1, 2, 5, 10) if x <= k * power * (1 + 1e-6))
