"""Between which numbers a matrix lies, as its colors and its slider have it."""

from __future__ import annotations

from transformer_math.ops import IDENTITY, SOFTMAX, Dropout
from transformer_math.ops.tensor import Tensor


def is_share(tensor: Tensor) -> bool:
    """Whether its numbers are shares of 1: what a softmax gives, before and after dropout."""
    while tensor.op is IDENTITY or isinstance(tensor.op, Dropout):
        tensor = tensor.inputs[0]
    return tensor.op is SOFTMAX
