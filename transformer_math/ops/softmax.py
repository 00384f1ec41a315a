"""The softmax (Section 3.2.1 for attention, Section 3.4 for the output)."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from transformer_math.checks import check_whole
from transformer_math.ops.base import Gradients, Op, row_sums, spread_row_sums
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
    dot,
)
from transformer_math.ops.tensor import Index, Tensor

# Replaces the maximum of a row in which all numbers are −∞: −∞ − _LOWEST is −∞, but −∞ − −∞ is NaN.
_LOWEST = float(np.finfo(np.float32).min)
# With no number above _HIGH and no row of exponentials summing to less than _SMALL, exp neither
# overflows nor loses digits in float32, so the rows' maxima need not be subtracted.
_HIGH, _SMALL = 60.0, 1e-20


def softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    """Return exp(x) divided by its sum along an axis; a row of only −∞ gives zeros."""
    if axis not in (-1, x.ndim - 1):
        check_whole("axis", axis, -x.ndim, x.ndim - 1)
        return np.moveaxis(softmax(np.moveaxis(x, axis, -1)), -1, axis)
    if not x.size:
        return x.copy()
    y, total, _ = exponentials(x, spread_row_sums)
    y /= total
    return y


def exponentials(
    x: np.ndarray, sums: Callable[[np.ndarray], np.ndarray] = row_sums
) -> tuple[np.ndarray, np.ndarray, np.ndarray | float]:
    """Return exp(x − c), its sums over the last axis, and c, which cancels in a softmax.

    c holds the rows' maxima, or is 0 if nothing overflows without them. The sum of a row in which
    all numbers are −∞ is returned as 1, not 0.
    """
    if x.size and x.item(x.argmax()) <= _HIGH:  # takes a third of the time of ``max``
        y = np.exp(x)
        total = sums(y)
        if total.item(total.argmin()) >= _SMALL:
            return y, total, 0.0
    peak = np.maximum.reduce(x, axis=-1, keepdims=True, initial=_LOWEST)
    y = np.exp(x - peak)
    # The largest term is exp(0) = 1, so a total below 1 means that every term is 0.
    return y, np.maximum(sums(y), 1), peak


def log_softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    """Return log(softmax(x)), without the rounding errors of two separate computations.

    A row in which all numbers are −∞ is unchanged.
    """
    if axis not in (-1, x.ndim - 1):
        check_whole("axis", axis, -x.ndim, x.ndim - 1)
        return np.moveaxis(log_softmax(np.moveaxis(x, axis, -1)), -1, axis)
    if not x.size:
        return x.copy()
    _, total, peak = exponentials(x)
    y: np.ndarray = x - peak - np.log(total)
    return y


class Softmax(Op):
    """The softmax of each row of (…, n, m): weights that sum to 1."""

    __slots__ = ()

    @property
    def note(self) -> str:
        return "max is the largest number of the row: it cancels, and keeps exp from overflowing."

    def forward(self, x: np.ndarray) -> np.ndarray:
        return softmax(x)

    def backward(self, g: np.ndarray, output: np.ndarray, *values: np.ndarray) -> Gradients:
        """dx = y (g − Σ g y): raising one weight lowers the others of its row."""
        dx = g - spread_row_sums(g * output)
        dx *= output
        return (dx,)

    def explain(self, output: Tensor, index: Index) -> Expression:
        x = output.inputs[0]
        *row, j = index
        cells = [Cell(x, (*row, m)) for m in range(x.value.shape[-1])]
        highest = max(cell.evaluate() for cell in cells)
        if highest == -math.inf:
            return Quotient(
                Sum([_exp(cell) for cell in cells[j : j + 1]]), Sum(list(map(_exp, cells)))
            )
        # The largest score is subtracted in numerator and denominator, so that exp stays small.
        peak = Named("max", Number(highest, "max"))
        terms = [_exp(Difference(cell, peak)) for cell in cells]
        return Quotient(terms[j], Sum(terms))

    def explain_gradient(
        self, flow: Tensor, output: Tensor, which: int, index: Index
    ) -> Expression:
        row = index[:-1]
        places = [(*row, m) for m in range(output.value.shape[-1])]
        mean = dot([Cell(flow, place) for place in places], [Cell(output, p) for p in places])
        return Product((Cell(output, index), Difference(Cell(flow, index), mean)))

    def latex(self, x: str) -> str:
        return rf"\mathrm{{softmax}}\left({x}\right)"


def _exp(argument: Expression) -> Apply:
    return Apply("exp", math.exp, argument)


SOFTMAX = Softmax()
