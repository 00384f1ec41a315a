"""The softmax of a row at a temperature, and its entropy."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from transformer_math.ops.softmax import softmax


class Spread(NamedTuple):
    """A row of logits at one temperature.

    Attributes:
        probabilities: (n,), softmax(x / T); at T = 0 uniform over the largest logits, at T = ∞
            uniform over all that no mask hides.
        entropy: the entropy in bits.
        choices: 2^entropy, the number of equally likely choices with this entropy.
    """

    probabilities: np.ndarray
    entropy: float
    choices: float


def spread(logits: np.ndarray, temperature: float) -> Spread:
    """Return the softmax of logits (n,) divided by a temperature from 0 to ∞, in float64."""
    x = np.asarray(logits, float)
    visible = x > -np.inf
    if not visible.any():
        return Spread(np.zeros(len(x)), 0.0, 0.0)
    if temperature == 0:
        even = x == x.max()
    elif math.isinf(temperature):
        even = visible
    else:
        return _of(softmax((x - x.max()) / temperature))
    return _of(even / even.sum())


def _of(probabilities: np.ndarray) -> Spread:
    positive = probabilities[probabilities > 0]
    entropy = max(0.0, -float((positive * np.log2(positive)).sum()))
    return Spread(probabilities, entropy, 2.0**entropy)
