"""Layer normalization of one row, step by step (Section 3.1; Ba et al., 2016)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from transformer_math.ops.layer_norm import LayerNorm


class Normalizing(NamedTuple):
    """A row on its way through layer norm, in float64; each array is (d,).

    Attributes:
        row: x.
        mean: μ, which is subtracted.
        deviation: the divisor: √(σ² + ε) or, for the deviation of a sample, s + ε.
        centered: x − μ.
        standard: ``centered`` divided by the deviation.
        scaled: ``standard`` times γ.
        result: ``scaled`` plus β.
    """

    row: np.ndarray
    mean: float
    deviation: float
    centered: np.ndarray
    standard: np.ndarray
    scaled: np.ndarray
    result: np.ndarray

    @property
    def steps(self) -> np.ndarray:
        """The row before and after each of the steps: (5, d)."""
        return np.stack([self.row, self.centered, self.standard, self.scaled, self.result])


def normalizing(
    row: np.ndarray, gamma: np.ndarray, beta: np.ndarray, norm: LayerNorm
) -> Normalizing:
    """Return the steps of layer norm for a row (d,) with γ and β (d,)."""
    x, gamma, beta = (np.asarray(each, float) for each in (row, gamma, beta))
    mean = float(x.mean())
    centered = x - mean
    deviation = norm.divisor(x)
    standard = centered / deviation
    scaled = standard * gamma
    return Normalizing(x, mean, deviation, centered, standard, scaled, scaled + beta)


def cell_for_centered(row: np.ndarray, cell: int, wanted: float) -> float:
    """Return the x_i of a row (d,) for which x_i − μ is ``wanted``, with the other cells fixed."""
    others = np.delete(np.asarray(row, float), cell)
    return float(others.mean()) + wanted * len(row) / len(others)


def cell_for_standard(row: np.ndarray, cell: int, wanted: float, norm: LayerNorm) -> float:
    """Return the x_i of a row (d,) with which (x_i − μ) divided by the deviation is ``wanted``.

    Because x_i also changes μ and σ, the number has a limit: √(d − 1), or (d − 1)/√d for the
    deviation of a sample. ``wanted`` is reduced to at most 99 % of the limit.
    """
    others = np.delete(np.asarray(row, float), cell)
    d, rest = len(row), len(others)
    share = rest / d
    # With u the distance of x_i from the others' mean, the variance over d is share·(v + u²/d), and
    # the number share·u / (√(a + b·u²) + e).
    if norm.is_sample:
        a, b, e = float(others.var()), 1 / d, norm.epsilon
    else:
        a, b, e = share * float(others.var()) + norm.epsilon, share / d, 0.0
    limit = 0.99 * share / math.sqrt(b)
    z = min(abs(wanted), limit)
    left = share * share - z * z * b
    root = max(0.0, share * share * e * e + left * (a - e * e))  # by rounding it may be below 0
    u = z * (share * e + math.sqrt(root)) / left
    return float(others.mean()) + math.copysign(u, wanted)
