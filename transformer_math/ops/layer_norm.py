"""Layer normalization (Section 3.1; Ba et al., 2016)."""

from __future__ import annotations

import math

import numpy as np

from transformer_math.ops.base import Gradients, Op, as_rows, spread_row_sums
from transformer_math.ops.expression import (
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
from transformer_math.ops.tensor import Index, Tensor

# In float32, squares overflow from 2e19 on. A row with a large negative number has a maximum of at
# least its size divided by the width of the row, so only the maximum is compared with this.
_LARGE = 1e12
_TINY = float(np.finfo(np.float32).tiny)


def layer_norm(
    x: np.ndarray, gamma: np.ndarray, beta: np.ndarray | None = None, epsilon: float = 1e-5
) -> np.ndarray:
    """γ (x − μ) / √(σ² + ε) + β over the last axis; σ² is the biased variance, over d."""
    y: np.ndarray = _standardized(x, epsilon)[0]
    if gamma.ndim > 1 or (beta is not None and beta.ndim > 1):
        y = y * as_rows(gamma)
        if beta is not None:
            y = y + as_rows(beta)
        return y
    y *= gamma
    if beta is not None:
        y += beta
    return y


def _standardized(x: np.ndarray, epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    """x̂ = (x − μ) / √(σ² + ε) over the last axis, and the divisor, which broadcasts against x."""
    d = x.shape[-1]
    y = x - spread_row_sums(x, 1 / d)
    if x.itemsize < 8 and not y.item(y.argmax()) < _LARGE:
        return _standardized_in_units(x, epsilon)
    deviation = spread_row_sums(y * y, 1 / d)
    deviation += epsilon
    np.sqrt(deviation, out=deviation)
    y /= deviation
    return y, deviation


def _standardized_in_units(x: np.ndarray, epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    """``_standardized`` for numbers whose squares overflow: rows are scaled by their maximum."""
    unit = np.maximum.reduce(np.abs(x), axis=-1, keepdims=True, initial=1)
    y = x / unit
    y -= y.mean(-1, keepdims=True)
    deviation = (y * y).mean(-1, keepdims=True)
    deviation += np.maximum(epsilon / unit / unit, _TINY, dtype=x.dtype)
    np.sqrt(deviation, out=deviation)
    y /= deviation
    return y, deviation * unit


class LayerNorm(Op):
    """x̂ γ + β: rows of x (…, n, d) scaled to mean 0 and deviation 1, with γ (d,) and β (d,)."""

    __slots__ = ("epsilon",)

    def __init__(self, epsilon: float) -> None:
        self.epsilon = epsilon

    @property
    def note(self) -> str:
        return "μ and σ are the mean and the deviation of the row (with ε under the root)."

    def forward(self, x: np.ndarray, gamma: np.ndarray, beta: np.ndarray) -> np.ndarray:
        return layer_norm(x, gamma, beta, self.epsilon)

    def backward(self, g: np.ndarray, output: np.ndarray, *values: np.ndarray) -> Gradients:
        """dx = (gγ − mean(gγ) − x̂ mean(gγ x̂)) / σ, dγ = g x̂, dβ = g.

        The means are subtracted because the output does not change when x is shifted or scaled.
        """
        x, gamma, _ = values
        d = x.shape[-1]
        standard, deviation = _standardized(x, self.epsilon)
        dx = g * as_rows(gamma)
        along = spread_row_sums(dx * standard, 1 / d)
        dx -= spread_row_sums(dx, 1 / d)
        dx -= standard * along
        dx /= deviation
        standard *= g
        return dx, standard, g

    def explain(self, output: Tensor, index: Index) -> Expression:
        x, gamma, beta = output.inputs
        *row, j = index
        mean, deviation = self._moments(x, tuple(row))
        standard = Quotient(Difference(Cell(x, index), mean), deviation)
        return Sum((Product((Cell(gamma, (j,)), standard)), Cell(beta, (j,))))

    def explain_gradient(
        self, flow: Tensor, output: Tensor, which: int, index: Index
    ) -> Expression:
        x, gamma, _ = output.inputs
        places = range(x.value.shape[-2])
        if which == 2:
            return Sum([Cell(flow, (n, *index)) for n in places])
        if which == 1:
            return Sum(
                [Product((Cell(flow, (n, *index)), self._standard(x, (n, *index)))) for n in places]
            )
        *row, j = index
        d = x.value.shape[-1]
        width = Number(d, str(d), exact=True)
        moments = self._moments(x, tuple(row))
        terms = [Product((Cell(flow, (*row, i)), Cell(gamma, (i,)))) for i in range(d)]
        mean = Named("mean(g·γ)", Quotient(Sum(terms), width))
        standards = [self._standard(x, (*row, i), moments) for i in range(d)]
        products = [Product((t, s)) for t, s in zip(terms, standards, strict=True)]
        along = Named("mean(g·γ·x̂)", Quotient(Sum(products), width))
        above = Difference(Difference(terms[j], mean), Product((standards[j], along)))
        return Quotient(above, moments[1])

    def _standard(
        self, x: Tensor, index: Index, moments: tuple[Named, Named] | None = None
    ) -> Named:
        mean, deviation = moments or self._moments(x, index[:-1])
        return Named("x̂", Quotient(Difference(Cell(x, index), mean), deviation))

    def _moments(self, x: Tensor, row: Index) -> tuple[Named, Named]:
        """μ and σ of a row, written as letters."""
        d = x.value.shape[-1]
        width = Number(d, str(d), exact=True)
        cells = [Cell(x, (*row, i)) for i in range(d)]
        mean = Named("μ", Quotient(Sum(cells), width))
        squares = [Apply("sq", lambda t: t * t, Difference(cell, mean)) for cell in cells]
        inside = Sum((Quotient(Sum(squares), width), Number(self.epsilon, "ε", exact=True)))
        return mean, Named("σ", Apply("√", math.sqrt, inside))

    def latex(self, x: str, gamma: str, beta: str) -> str:
        return rf"{gamma}\odot\frac{{{x}-\mu}}{{\sqrt{{\sigma^{{2}}+\varepsilon}}}}+{beta}"
