"""Layer normalization (Section 3.1; Ba et al., 2016)."""

from __future__ import annotations

import math

import numpy as np

from transformer_math.checks import check_above
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

# In float32, squares overflow from 2e19 on. In a centered row with a large negative number, the
# maximum is at least that number's size / width, so only the maximum is compared with this.
_LARGE = 1e12
_TINY = float(np.finfo(np.float32).tiny)


def layer_norm(
    x: np.ndarray,
    gamma: np.ndarray,
    beta: np.ndarray | None = None,
    epsilon: float = 1e-5,
    *,
    is_sample: bool = False,
) -> np.ndarray:
    """Return γ (x − μ) / √(σ² + ε) + β over the last axis; σ² is the biased variance, over d.

    With ``is_sample``, return γ (x − μ) / (s + ε) + β with the unbiased variance s², over d − 1.
    """
    if epsilon <= 0:
        check_above("epsilon", epsilon, 0)
    y: np.ndarray = _standardized(x, epsilon, is_sample)[0]
    if gamma.ndim > 1 or (beta is not None and beta.ndim > 1):
        y = y * as_rows(gamma)
        if beta is not None:
            y = y + as_rows(beta)
        return y
    y *= gamma
    if beta is not None:
        y += beta
    return y


def _standardized(x: np.ndarray, epsilon: float, is_sample: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return x̂ = (x − μ) / √(σ² + ε) over the last axis, and the divisor, which broadcasts.

    With ``is_sample`` the divisor is s + ε.
    """
    d = x.shape[-1]
    y = x - spread_row_sums(x, 1 / d)
    if x.itemsize < 8 and not y.item(y.argmax()) < _LARGE:
        return _standardized_in_units(x, epsilon, is_sample)
    divisor = spread_row_sums(y * y, 1 / (d - is_sample))
    if not is_sample:
        divisor += epsilon
    np.sqrt(divisor, out=divisor)
    if is_sample:
        divisor += epsilon
    y /= divisor
    return y, divisor


def _standardized_in_units(
    x: np.ndarray, epsilon: float, is_sample: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Standardize numbers whose squares overflow: scale the rows by their maximum first."""
    unit = np.maximum.reduce(np.abs(x), axis=-1, keepdims=True, initial=1)
    y = x / unit
    y -= y.mean(-1, keepdims=True)
    divisor = (y * y).mean(-1, keepdims=True)
    if is_sample:
        d = x.shape[-1]
        divisor = np.sqrt(divisor * (d / (d - 1)))
        divisor += np.maximum(epsilon / unit, _TINY, dtype=x.dtype)
    else:
        divisor += np.maximum(epsilon / unit / unit, _TINY, dtype=x.dtype)
        np.sqrt(divisor, out=divisor)
    y /= divisor
    return y, divisor * unit


_Moments = tuple[Named, Named, Expression]


class LayerNorm(Op):
    """x̂ γ + β: rows of x (…, n, d) scaled to mean 0 and deviation 1, with γ (d,) and β (d,).

    A row is divided by √(σ² + ε), where σ² is the variance over d. With ``is_sample`` it is divided
    by s + ε, where s² is the variance over d − 1, as in the Annotated Transformer (Rush, 2018).
    """

    __slots__ = ("epsilon", "is_sample")

    def __init__(self, epsilon: float, *, is_sample: bool = False) -> None:
        self.epsilon = epsilon
        self.is_sample = is_sample

    @property
    def note(self) -> str:
        if self.is_sample:
            return "μ is the mean of the row, and s its deviation by d − 1 (ε is added to it)."
        return "μ and σ are the mean and the deviation of the row (with ε under the root)."

    def divisor(self, row: np.ndarray) -> float:
        """Return the divisor of a row (d,)."""
        if self.is_sample:
            return float(row.std(ddof=1)) + self.epsilon
        return math.sqrt(float(row.var()) + self.epsilon)

    def forward(self, x: np.ndarray, gamma: np.ndarray, beta: np.ndarray) -> np.ndarray:
        return layer_norm(x, gamma, beta, self.epsilon, is_sample=self.is_sample)

    def backward(self, g: np.ndarray, output: np.ndarray, *values: np.ndarray) -> Gradients:
        """dx = (gγ − mean(gγ) − x̂ mean(gγ x̂)) / σ, dγ = g x̂, dβ = g.

        The means are subtracted because the output does not change when x is shifted or scaled.
        With ``is_sample``, σ is s + ε, and the last mean is times (s + ε)/s · d/(d − 1), or 0 for a
        row without deviation.
        """
        x, gamma, _ = values
        d = x.shape[-1]
        standard, deviation = _standardized(x, self.epsilon, self.is_sample)
        dx = g * as_rows(gamma)
        along = spread_row_sums(dx * standard, 1 / (d - self.is_sample))
        if self.is_sample:
            s = deviation - self.epsilon
            along *= np.divide(deviation, s, out=np.zeros_like(s), where=s > 0)
        dx -= spread_row_sums(dx, 1 / d)
        dx -= standard * along
        dx /= deviation
        standard *= g
        return dx, standard, g

    def explain(self, output: Tensor, index: Index) -> Expression:
        x, gamma, beta = output.inputs
        *row, j = index
        mean, _, divisor = self._moments(x, tuple(row))
        standard = Quotient(Difference(Cell(x, index), mean), divisor)
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
        _, deviation, divisor = moments
        terms = [Product((Cell(flow, (*row, i)), Cell(gamma, (i,)))) for i in range(d)]
        mean = Named("mean(g·γ)", Quotient(Sum(terms), width))
        standards = [self._standard(x, (*row, i), moments) for i in range(d)]
        products = [Product((t, s)) for t, s in zip(terms, standards, strict=True)]
        above: Expression = Difference(terms[j], mean)
        if not self.is_sample:
            along = Named("mean(g·γ·x̂)", Quotient(Sum(products), width))
            above = Difference(above, Product((standards[j], along)))
        elif deviation.evaluate():
            less = Number(d - 1, str(d - 1), exact=True)
            along = Named("Σ(g·γ·x̂)/(d − 1)", Quotient(Sum(products), less))
            grown = Quotient(divisor, deviation)
            above = Difference(above, Product((standards[j], along, grown)))
        return Quotient(above, divisor)

    def _standard(self, x: Tensor, index: Index, moments: _Moments | None = None) -> Named:
        mean, _, divisor = moments or self._moments(x, index[:-1])
        return Named("x̂", Quotient(Difference(Cell(x, index), mean), divisor))

    def _moments(self, x: Tensor, row: Index) -> _Moments:
        """Return μ, the deviation and the divisor of a row, written as letters."""
        d = x.value.shape[-1]
        width, less = (Number(n, str(n), exact=True) for n in (d, d - 1))
        epsilon = Number(self.epsilon, "ε", exact=True)
        cells = [Cell(x, (*row, i)) for i in range(d)]
        mean = Named("μ", Quotient(Sum(cells), width))
        squares = Sum([Apply("sq", lambda t: t * t, Difference(cell, mean)) for cell in cells])
        if self.is_sample:
            deviation = Named("s", Apply("√", math.sqrt, Quotient(squares, less)))
            return mean, deviation, Sum((deviation, epsilon))
        inside = Sum((Quotient(squares, width), epsilon))
        deviation = Named("σ", Apply("√", math.sqrt, inside))
        return mean, deviation, deviation

    def latex(self, x: str, gamma: str, beta: str) -> str:
        if self.is_sample:
            return rf"{gamma}\odot\frac{{{x}-\mu}}{{s+\varepsilon}}+{beta}"
        return rf"{gamma}\odot\frac{{{x}-\mu}}{{\sqrt{{\sigma^{{2}}+\varepsilon}}}}+{beta}"
