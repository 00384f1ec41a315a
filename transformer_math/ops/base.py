"""What every operation knows of itself.

An op is an immutable object without data of its own but its settings. It computes exactly one
array, and everything that is said of that array is asked of it:

* ``forward(*values)``: the value;
* ``backward(gradient, output, *values)``: the gradient for each input (comes with training);
* ``explain(output, index)``: the arithmetic of one cell, out of the cells it read;
* ``latex(*symbols)``: the formula with the inputs' symbols.

Shapes in this package: ``…`` stands for any leading axes (a batch, the frames of a sweep),
n and m for sequence lengths, h heads, d d_model, k d_k, v d_v, f d_ff, V vocabulary. Ops
broadcast over leading axes: an input that has more of them than another is computed for each.
"""

from __future__ import annotations

import numpy as np

from transformer_math.expression import Cell, Expression
from transformer_math.tensor import Index, Tensor


class Op:
    """An operation of the model; see the module's text.

    Attributes:
        note: what a reader of its arithmetic may need to be told, one sentence or nothing.
    """

    __slots__ = ()

    note = ""

    def forward(self, *values: np.ndarray) -> np.ndarray:
        """The value, computed from the inputs' values."""
        raise NotImplementedError

    def explain(self, output: Tensor, index: Index) -> Expression:
        """How cell ``index`` of ``output`` arises from cells of ``output.inputs``."""
        raise NotImplementedError

    def latex(self, *symbols: str) -> str:
        """The formula, given the inputs' symbols."""
        raise NotImplementedError


class Given(Op):
    """A leaf: a parameter, the token ids or a mask. Nothing was computed."""

    __slots__ = ()

    def forward(self, *values: np.ndarray) -> np.ndarray:
        raise TypeError("A given value is not computed.")

    def explain(self, output: Tensor, index: Index) -> Expression:
        return Cell(output, index)

    def latex(self, *symbols: str) -> str:
        return ""


class Identity(Op):
    """Passes its input on, where a step is switched off: no scale, no mask, no dropout."""

    __slots__ = ()

    def forward(self, x: np.ndarray) -> np.ndarray:  # type: ignore[override]
        return x

    def explain(self, output: Tensor, index: Index) -> Expression:
        return Cell(output.inputs[0], index)

    def latex(self, x: str) -> str:  # type: ignore[override]
        return x


def rows(vector: np.ndarray) -> np.ndarray:
    """A vector (…, d) made ready to meet rows (…, n, d); one without leading axes needs nothing."""
    return vector if vector.ndim == 1 else vector[..., None, :]


GIVEN = Given()
IDENTITY = Identity()
