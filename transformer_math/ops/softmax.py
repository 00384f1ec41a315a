"""The softmax (Section 3.2.1 for attention, Section 3.4 for the output)."""

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
    Quotient,
    Sum,
)
from transformer_math.ops.base import Op
from transformer_math.tensor import Index, Tensor

# Stands in for the maximum of a row that is −∞ throughout: −∞ less this is still −∞, not NaN.
_LOWEST = float(np.finfo(np.float32).min)


def softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    """exp(x) over its sum along an axis; a row of nothing but −∞ gives zeros, never NaN."""
    peak = np.maximum.reduce(x, axis=axis, keepdims=True, initial=_LOWEST)
    y = np.exp(x - peak)
    total = np.add.reduce(y, axis=axis, keepdims=True)
    # The largest term is exp(0) = 1, so a total below 1 means that every term is 0.
    y /= np.maximum(total, 1)
    return y


def log_softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    """log(softmax(x)), without the loss of digits that taking the two in turn has.

    A row of nothing but −∞ stays −∞.
    """
    shifted = x - np.maximum.reduce(x, axis=axis, keepdims=True, initial=_LOWEST)
    return shifted - np.log(np.maximum(np.add.reduce(np.exp(shifted), axis=axis, keepdims=True), 1))


class Softmax(Op):
    """Each row of (…, n, m) turned into weights that sum to 1."""

    __slots__ = ()

    note = "max is the largest number of the row: it cancels, and keeps exp from overflowing."

    def forward(self, x: np.ndarray) -> np.ndarray:  # type: ignore[override]
        return softmax(x)

    def explain(self, output: Tensor, index: Index) -> Expression:
        x = output.inputs[0]
        *row, j = index
        cells = [Cell(x, (*row, m)) for m in range(x.value.shape[-1])]
        highest = max(cell.evaluate() for cell in cells)
        if highest == -math.inf:
            return Quotient(
                Sum([_exp(cell) for cell in cells[j : j + 1]]), Sum(list(map(_exp, cells)))
            )
        # The largest score is taken off first, above and below: it cancels, and exp stays small.
        peak = Named("max", Number(highest, "max"))
        terms = [_exp(Difference(cell, peak)) for cell in cells]
        return Quotient(terms[j], Sum(terms))

    def latex(self, x: str) -> str:  # type: ignore[override]
        return rf"\mathrm{{softmax}}\left({x}\right)"


def _exp(argument: Expression) -> Apply:
    return Apply("exp", math.exp, argument)


SOFTMAX = Softmax()
