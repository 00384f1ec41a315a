"""Layer normalization of one row, step by step (Section 3.1; Ba et al., 2016)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np


class Normalizing(NamedTuple):
    """A row on its way through layer norm, in float64; each array is (d,).

    Attributes:
        row: x.
        mean: μ, which is subtracted.
        deviation: √(σ² + ε), by which is divided.
        centered: x − μ.
        standard: (x − μ) / √(σ² + ε).
        scaled: the same times γ.
        result: plus β.
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
        """The row at the ends of the steps: (5, d)."""
        return np.stack([self.row, self.centered, self.standard, self.scaled, self.result])


def normalizing(
    row: np.ndarray, gamma: np.ndarray, beta: np.ndarray, epsilon: float
) -> Normalizing:
    """The steps of layer norm for a row (d,) with γ and β (d,)."""
    x, gamma, beta = (np.asarray(each, float) for each in (row, gamma, beta))
    mean = float(x.mean())
    centered = x - mean
    deviation = math.sqrt(float((centered * centered).mean()) + epsilon)
    standard = centered / deviation
    scaled = standard * gamma
    return Normalizing(x, mean, deviation, centered, standard, scaled, scaled + beta)


def cell_for_centered(row: np.ndarray, cell: int, wanted: float) -> float:
    """The x_i of a row (d,) with which x_i − μ is as wanted, with the other cells as they are."""
    others = np.delete(np.asarray(row, float), cell)
    return float(others.mean()) + wanted * len(row) / len(others)


def cell_for_standard(row: np.ndarray, cell: int, wanted: float, epsilon: float) -> float:
    """The x_i of a row (d,) with which (x_i − μ)/√(σ² + ε) is as wanted.

    However large x_i is, that stays below √(d − 1), because x_i moves μ and σ, too; beyond 99 % of
    it the wanted number is taken for that.
    """
    others = np.delete(np.asarray(row, float), cell)
    d, rest = len(row), len(others)
    share = rest / d
    limit = 0.99 * math.sqrt(rest)
    z = min(max(wanted, -limit), limit)
    # With u the distance of x_i from the others' mean: z = share·u / √(share·v + share·u²/d + ε).
    spread = share * float(others.var()) + epsilon
    u = abs(z) * math.sqrt(spread / (share * share - z * z * share / d))
    return float(others.mean()) + math.copysign(u, z)
