"""Layer normalization (Section 3.1; Ba et al., 2016)."""

from __future__ import annotations

import math

import numpy as np

from transformer_math.ops.base import Gradients, Op, rows, spread_row_sums
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

# Squares of float32 overflow from 2e19 on; what is squared here is at most as large as a row is
# wide, times its largest number above the mean.
_LARGE = 1e12
_TINY = float(np.finfo(np.float32).tiny)


def layer_norm(
    x: np.ndarray, gamma: np.ndarray, beta: np.ndarray | None = None, epsilon: float = 1e-5
) -> np.ndarray:
    """γ (x − μ) / √(σ² + ε) + β over the last axis; σ² is the biased variance, over d."""
    y: np.ndarray = _standardized(x, epsilon)[0]
    if gamma.ndim > 1 or (beta is not None and beta.ndim > 1):
        y = y * rows(gamma)
        if beta is not None:
            y = y + rows(beta)
        return y
    y *= gamma
    if beta is not None:
        y += beta
    return y


def _standardized(x: np.ndarray, epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    """x̂ = (x − μ) / σ over the last axis, and σ = √(σ² + ε), ready to meet x."""
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
    """The same for numbers whose squares would overflow, each row in units of its largest."""
    unit = np.maximum.reduce(np.abs(x), axis=-1, keepdims=True, initial=1)
    y = x / unit
    y -= y.mean(-1, keepdims=True)
    deviation = (y * y).mean(-1, keepdims=True)
    deviation += np.maximum(epsilon / unit / unit, _TINY, dtype=x.dtype)
    np.sqrt(deviation, out=deviation)
    y /= deviation
    return y, deviation * unit


class LayerNorm(Op):
    """Rows of x (…, n, d) at mean 0 and deviation 1, then times γ (d,) plus β (d,)."""

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

        The two means are what is lost because every row is brought back to mean 0 and to
        deviation 1 whatever x does.
        """
        x, gamma, _ = values
        d = x.shape[-1]
        standard, deviation = _standardized(x, self.epsilon)
        dx = g * rows(gamma)
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
        terms = [Product((Cell(flow, (*row, i)), Cell(gamma, (i,)))) for i in range(d)]
        mean = Named("mean(g·γ)", Quotient(Sum(terms), width))
        standards = [self._standard(x, (*row, i)) for i in range(d)]
        products = [Product((t, s)) for t, s in zip(terms, standards, strict=True)]
        along = Named("mean(g·γ·x̂)", Quotient(Sum(products), width))
        above = Difference(Difference(terms[j], mean), Product((standards[j], along)))
        return Quotient(above, self._moments(x, tuple(row))[1])

    def _standard(self, x: Tensor, index: Index) -> Named:
        mean, deviation = self._moments(x, index[:-1])
        return Named("x̂", Quotient(Difference(Cell(x, index), mean), deviation))

    def _moments(self, x: Tensor, row: Index) -> tuple[Named, Named]:
        """μ and σ of a row, known by their letters."""
        d = x.value.shape[-1]
        width = Number(d, str(d), exact=True)
        cells = [Cell(x, (*row, i)) for i in range(d)]
        mean = Named("μ", Quotient(Sum(cells), width))
        squares = [Apply("sq", lambda t: t * t, Difference(cell, mean)) for cell in cells]
        inside = Sum((Quotient(Sum(squares), width), Number(self.epsilon, "ε", exact=True)))
        return mean, Named("σ", Apply("√", math.sqrt, inside))

    def latex(self, x: str, gamma: str, beta: str) -> str:
        return rf"{gamma}\odot\frac{{{x}-\mu}}{{\sqrt{{\sigma^{{2}}+\varepsilon}}}}+{beta}"
