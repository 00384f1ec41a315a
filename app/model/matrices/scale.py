"""The range of a matrix's numbers, for its colors and its slider."""

import math

import numpy as np

from transformer_math.ops import IDENTITY, SOFTMAX, Dropout
from transformer_math.ops.tensor import Index, Tensor

ROOM = 1.5  # the range is this many times the largest number, so that each number can grow
MANY = 1 << 18  # larger matrices are sampled


def is_share(tensor: Tensor) -> bool:
    """Return whether a tensor holds shares of 1: the output of a softmax, also after dropout."""
    while tensor.op is IDENTITY or isinstance(tensor.op, Dropout):
        tensor = tensor.inputs[0]
    return tensor.op is SOFTMAX


def span(
    tensor: Tensor, index: Index, original: float | None = None, swing: float = 0.0
) -> tuple[float, float]:
    """Return the range of a cell's slider, which contains the present value.

    The range of a share is 0 to 1. Any other range is symmetric around 0, and computed from the
    other cells of the matrix, so that it stays constant while the cell moves.
    ``original`` is the value before the cell was set, ``swing`` the amplitude of its oscillation.
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
    """Return the smallest of 1, 2 or 5 times a power of ten that is not below x; 1 if x is 0."""
    if x == 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(x))
    return next(float(f"{k * power:g}") for k in (1, 2, 5, 10) if x <= k * power * (1 + 1e-6))
