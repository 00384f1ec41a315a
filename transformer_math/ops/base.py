"""The base classes of all operations.

An op is immutable and contains nothing but its settings. It computes exactly one array, and has
all methods about that array:

* ``forward(*values)``: the value;
* ``backward(gradient, output, *values)``: the gradient of the loss for each input;
* ``explain(output, index)``: the arithmetic of one cell, in terms of the cells it was computed
  from;
* ``explain_gradient(flow, output, which, index)``: the arithmetic of the contribution of the
  output's gradient to that of one cell of an input;
* ``latex(*symbols)``: the formula, given the inputs' symbols.

A backward rule is directly below the forward rule. Throughout this package, g is the gradient of
the loss with respect to the op's output, and dx is short for ∂loss/∂x.

Shapes: ``…`` are any leading axes (the frames of a sweep, a batch), n and m are the sequence
lengths, h heads, d d_model, k d_k, v d_v, f d_ff, V vocabulary. Ops broadcast over leading axes.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from transformer_math.ops.expression import Cell, Expression, as_expression
from transformer_math.ops.tensor import Index, Tensor

Gradients = tuple[np.ndarray | None, ...]

MAX_CACHED_ONES = 8192  # longer vectors of ones are not cached
MAX_CELLS_FOR_DOT = 1024  # maximum cells of each of two matrices for a product by np.dot
MAX_SHORT_ROW = 16  # in rows up to this length, the sum is computed for each cell


class Op:
    """An operation of the model; the module's docstring describes the methods."""

    __slots__ = ()

    # Declared with any arguments, because ops differ in their number of inputs.
    forward: Callable[..., np.ndarray]
    """The value, computed from the inputs' values."""

    latex: Callable[..., str]
    """The formula, given the inputs' symbols."""

    @property
    def note(self) -> str:
        """A sentence or two about the letters in its arithmetic; empty if none are needed."""
        return ""

    def backward(self, g: np.ndarray, output: np.ndarray, *values: np.ndarray) -> Gradients:
        """Return each input's gradient, given the output's gradient; None for ids and masks.

        If the input was broadcast, its gradient may have more leading axes than the input itself;
        the caller sums over them.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define backward.")

    def example(self, t: int) -> Op:
        """Return the op for example t of a batch: itself, unless it has a mask for each example."""
        return self

    def explain(self, output: Tensor, index: Index) -> Expression:
        """Return the arithmetic of cell ``index`` of ``output``, in terms of the inputs' cells."""
        raise NotImplementedError(f"{type(self).__name__} does not define explain.")

    def explain_gradient(
        self, flow: Tensor, output: Tensor, which: int, index: Index
    ) -> Expression:
        """Return the arithmetic of the gradient that the op passes to one cell of an input.

        Args:
            flow: the gradient of the output, as a tensor of the output's shape.
            output: the op's output.
            which: the number of the input.
            index: the cell of that input.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define explain_gradient.")


class Leaf(Op):
    """The op of a tensor that is not computed: a parameter, token ids or a mask."""

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

    A subclass defines ``forward``, ``backward`` and ``latex``. The first two use only arithmetic
    operators, NumPy functions of one argument and ``expression.apply``, which work on an
    ``Expression`` as on an array. Called with cells instead of arrays, they therefore return the
    explanations.
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
    """Return the inputs' cells at an index of an op's output; inputs may lack leading axes."""
    return [Cell(x, index[len(index) - x.value.ndim :]) for x in output.inputs]


class Identity(Elementwise):
    """Returns its input: the op of a step that is switched off (no scale, no mask, no dropout)."""

    __slots__ = ()

    def forward(self, x: np.ndarray) -> np.ndarray:
        return x

    def backward(self, g: np.ndarray, output: np.ndarray, *values: np.ndarray) -> Gradients:
        return (g,)

    def latex(self, x: str) -> str:
        return x


def as_rows(vector: np.ndarray) -> np.ndarray:
    """Return a vector (d,) or (…, d) reshaped so that it broadcasts against rows (…, n, d)."""
    return vector if vector.ndim == 1 else vector[..., None, :]


def ones(n: int, dtype: np.dtype) -> np.ndarray:
    """Return a read-only vector (n,) of ones; the fastest sums are matrix products with it."""
    return full((n,), 1.0, dtype) if n <= MAX_CACHED_ONES else np.ones(n, dtype)


@functools.lru_cache(maxsize=256)
def full(shape: tuple[int, ...], number: float, dtype: np.dtype) -> np.ndarray:
    """Return a read-only array with the same number in each cell."""
    array: np.ndarray = np.full(shape, number, dtype)
    array.flags.writeable = False
    return array


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the product of two matrices.

    For small matrices ``np.dot`` takes half the time of ``@``. For large matrices it is not faster,
    and in a browser it is slower, because only ``@`` uses SIMD instructions there.
    """
    if a.size <= MAX_CELLS_FOR_DOT and b.size <= MAX_CELLS_FOR_DOT:
        small: np.ndarray = np.dot(a, b)
        return small
    large: np.ndarray = a @ b
    return large


def row_sums(x: np.ndarray, factor: float = 1.0) -> np.ndarray:
    """Return sums over the last axis, times a factor: (…, d) gives (…, 1).

    For many rows, a product with a column of ones takes at most half the time of NumPy's sum. Very
    long rows are summed by NumPy, because creating the column would take longer.
    """
    n = x.shape[-1]
    inside = factor if _is_power_of_two(factor) else 1.0
    if n > MAX_CACHED_ONES:
        inside, sums = 1.0, np.add.reduce(x, axis=-1, keepdims=True)
    elif x.ndim == 2:
        sums = product(x, full((n, 1), inside, x.dtype))
    else:
        sums = product(x.reshape(-1, n), full((n, 1), inside, x.dtype))
        sums = sums.reshape(*x.shape[:-1], 1)
    return sums if inside == factor else sums * factor


def spread_row_sums(x: np.ndarray, factor: float = 1.0) -> np.ndarray:
    """Return ``row_sums`` that broadcast against x: (…, 1), or (…, d) for short rows.

    Broadcasting along short rows takes NumPy longer than computing the sum for each cell.
    """
    n = x.shape[-1]
    if n > MAX_SHORT_ROW:
        return row_sums(x, factor)
    are_many = x.size > MAX_CELLS_FOR_DOT
    inside = factor if are_many or _is_power_of_two(factor) else 1.0
    square = full((n, n), inside, x.dtype)
    sums = product(x, square) if x.ndim == 2 else product(x.reshape(-1, n), square)
    if inside != factor:
        sums *= factor
    return sums.reshape(x.shape)


def _is_power_of_two(factor: float) -> bool:
    """Return whether products with the factor are exact, and may be summed instead of x."""
    return math.frexp(factor)[0] == 0.5


LEAF = Leaf()
IDENTITY = Identity()
