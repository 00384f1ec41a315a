"""Layer normalization (Section 3.1; Ba et al., 2016)."""

from __future__ import annotations

import math

import numpy as np

from transformer_math.expression import (
    Apply,
    Cell,
    Difference,
    Expression,
    Named,
    Number,
    Product,
    Quotient,
    Sum,
)
from transformer_math.ops.base import Op, rows
from transformer_math.tensor import Index, Tensor


def layer_norm(
    x: np.ndarray, gamma: np.ndarray, beta: np.ndarray | None = None, epsilon: float = 1e-5
) -> np.ndarray:
    """γ (x − μ) / √(σ² + ε) + β over the last axis; σ² is the biased variance, over d."""
    d = x.shape[-1]
    y = x - np.add.reduce(x, axis=-1, keepdims=True) / d
    variance = np.vecdot(y, y)[..., None] / d
    y /= np.sqrt(variance + epsilon)
    y = y * rows(gamma)
    return y if beta is None else y + rows(beta)


class LayerNorm(Op):
    """Rows of x (…, n, d) at mean 0 and deviation 1, then times γ (d,) plus β (d,)."""

    __slots__ = ("epsilon",)

    note = "μ and σ are the mean and the deviation of the row (with ε under the root)."

    def __init__(self, epsilon: float) -> None:
        self.epsilon = epsilon

    def forward(self, x: np.ndarray, gamma: np.ndarray, beta: np.ndarray) -> np.ndarray:  # type: ignore[override]
        return layer_norm(x, gamma, beta, self.epsilon)

    def explain(self, output: Tensor, index: Index) -> Expression:
        x, gamma, beta = output.inputs
        *row, j = index
        d = x.value.shape[-1]
        width = Number(d, str(d), exact=True)
        cells = [Cell(x, (*row, i)) for i in range(d)]
        mean = Named("μ", Quotient(Sum(cells), width))
        squares = [Apply("sq", lambda t: t * t, Difference(cell, mean)) for cell in cells]
        inside = Sum((Quotient(Sum(squares), width), Number(self.epsilon, "ε", exact=True)))
        deviation = Named("σ", Apply("√", math.sqrt, inside))
        normalized = Quotient(Difference(cells[j], mean), deviation)
        return Sum((Product((Cell(gamma, (j,)), normalized)), Cell(beta, (j,))))

    def latex(self, x: str, gamma: str, beta: str) -> str:  # type: ignore[override]
        return rf"{gamma}\odot\frac{{{x}-\mu}}{{\sqrt{{\sigma^{{2}}+\varepsilon}}}}+{beta}"
