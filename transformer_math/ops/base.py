"""What every operation knows of itself.

An op is an immutable object without data of its own but its settings. It computes exactly one
array, and everything that is said of that array is asked of it:

* ``forward(*values)``: the value;
* ``backward(gradient, output, *values)``: the gradient of the loss for each input;
* ``explain(output, index)``: the arithmetic of one cell, out of the cells it read;
* ``explain_gradient(flow, output, which, index)``: the arithmetic of what one cell of an input
  is given of the loss's gradient;
* ``latex(*symbols)``: the formula with the inputs' symbols.

A backward rule stands directly under the value whose gradient it is. In it and below, g is the
gradient of the loss with respect to the op's output, and dx is short for ∂loss/∂x.

Shapes in this package: ``…`` stands for any leading axes (a batch, the frames of a sweep),
n and m for sequence lengths, h heads, d d_model, k d_k, v d_v, f d_ff, V vocabulary. Ops
broadcast over leading axes: an input that has more of them than another is computed for each.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from transformer_math.ops.expression import Cell, Expression, as_expression
from transformer_math.ops.tensor import Index, Tensor

Gradients = tuple[np.ndarray | None, ...]

KEPT = 8192  # ones up to which they are kept for the next sum
MANY = 1024  # cells from which on sums of rows are products
SHORT = 16  # cells of a row up to which its sum is computed once a cell


class Op:
    """An operation of the model; see the module's text."""

    __slots__ = ()

    # Each op says what it is computed from; typed as any call, so that it can.
    forward: Callable[..., np.ndarray]
    """The value, computed from the inputs' values."""

    latex: Callable[..., str]
    """The formula, given the inputs' symbols."""

    @property
    def note(self) -> str:
        """What a reader of its arithmetic may need to know, one sentence or nothing."""
        return ""

    def backward(self, g: np.ndarray, output: np.ndarray, *values: np.ndarray) -> Gradients:
        """The gradient for each input, given that of the output; None where there is none.

        A gradient may have more leading axes than its input, which was then used for each of
        them alike: whoever asks sums over those.
        """
        raise NotImplementedError

    def frame(self, t: int) -> Op:
        """The operation on example t of a batch alone; another one only where it has a mask."""
        return self

    def explain(self, output: Tensor, index: Index) -> Expression:
        """How cell ``index`` of ``output`` arises from cells of ``output.inputs``."""
        raise NotImplementedError

    def explain_gradient(
        self, flow: Tensor, output: Tensor, which: int, index: Index
    ) -> Expression:
        """What cell ``index`` of input number ``which`` gets of the output's gradient.

        ``flow`` is the gradient of the output, as a tensor of the output's shape.
        """
        raise NotImplementedError


class Leaf(Op):
    """A leaf: a parameter, the token ids or a mask. Nothing was computed."""

    __slots__ = ()

    def forward(self, *values: np.ndarray) -> np.ndarray:
        raise TypeError("A given value is not computed.")

    def backward(self, g: np.ndarray, output: np.ndarray, *values: np.ndarray) -> tuple[()]:
        return ()

    def explain(self, output: Tensor, index: Index) -> Expression:
        return Cell(output, index)

    def latex(self, *symbols: str) -> str:
        return ""


class Elementwise(Op):
    """An op that computes each cell from the same cell of its inputs.

    A subclass writes ``forward``, ``backward`` and ``latex``. The first two use nothing but
    arithmetic operators, NumPy functions of one argument and ``expression.apply``, which work on
    an ``Expression`` as they do on an array: called with the cells in place of the arrays, they
    give the explanations.
    """

    __slots__ = ()

    def explain(self, output: Tensor, index: Index) -> Expression:
        forward: Callable[..., Any] = self.forward
        return as_expression(forward(*_cells(output, index)))

    def explain_gradient(
        self, flow: Tensor, output: Tensor, which: int, index: Index
    ) -> Expression:
        backward: Callable[..., Any] = self.backward
        y = Cell(output, index)
        return as_expression(backward(Cell(flow, index), y, *_cells(output, index))[which])


def _cells(output: Tensor, index: Index) -> list[Cell]:
    """The cells of an op's inputs at an index of its output; an input may lack leading axes."""
    return [Cell(x, index[len(index) - x.value.ndim :]) for x in output.inputs]


class Identity(Elementwise):
    """Passes its input on, where a step is switched off: no scale, no mask, no dropout."""

    __slots__ = ()

    def forward(self, x: np.ndarray) -> np.ndarray:
        return x

    def backward(self, g: np.ndarray, output: np.ndarray, *values: np.ndarray) -> Gradients:
        return (g,)

    def latex(self, x: str) -> str:
        return x


def rows(vector: np.ndarray) -> np.ndarray:
    """A vector (…, d) made ready to meet rows (…, n, d); one without leading axes needs nothing."""
    return vector if vector.ndim == 1 else vector[..., None, :]


def ones(n: int, dtype: np.dtype) -> np.ndarray:
    """A vector (n,) of ones, only to be read: a product with it is the fastest sum."""
    return full((n,), 1.0, dtype) if n <= KEPT else np.ones(n, dtype)


@functools.lru_cache(maxsize=256)
def full(shape: tuple[int, ...], number: float, dtype: np.dtype) -> np.ndarray:
    """An array with the same number in each cell, only to be read."""
    array: np.ndarray = np.full(shape, number, dtype)
    array.flags.writeable = False
    return array


def row_sums(x: np.ndarray) -> np.ndarray:
    """Sums over the last axis, which stays with length 1.

    As a product with a vector of ones: for many short rows that is ten times as fast as a sum,
    and for a few it is not.
    """
    if x.size < MANY:
        return np.add.reduce(x, axis=-1, keepdims=True)
    n = x.shape[-1]
    sums: np.ndarray = x.reshape(-1, n) @ ones(n, x.dtype)
    return sums.reshape(*x.shape[:-1], 1)


def spread_row_sums(x: np.ndarray, factor: float = 1.0) -> np.ndarray:
    """The sums of ``row_sums`` times a factor, made ready to meet x: in each cell of a short row.

    NumPy takes longer to spread a number over a row of few cells than to compute it once a cell.
    """
    n = x.shape[-1]
    if x.size < MANY or n > SHORT:
        sums = row_sums(x)
        return sums if factor == 1 else sums * factor
    spread: np.ndarray = x.reshape(-1, n) @ full((n, n), factor, x.dtype)
    return spread.reshape(x.shape)


LEAF = Leaf()
IDENTITY = Identity()
