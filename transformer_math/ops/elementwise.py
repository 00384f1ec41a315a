"""The sum of two matrices, and dropout (Sections 3.1, 3.5 and 5.4)."""

from __future__ import annotations

import numpy as np

from transformer_math.ops.base import Elementwise, Gradients, Op
from transformer_math.ops.expression import Cell, Expression, Number, Product
from transformer_math.ops.tensor import Index, Tensor


class Add(Elementwise):
    """a + b: the residual connection, and embeddings plus positions."""

    __slots__ = ()

    def forward(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        y: np.ndarray = a + b
        return y

    def backward(self, g: np.ndarray, output: np.ndarray, *values: np.ndarray) -> Gradients:
        return g, g

    def latex(self, a: str, b: str) -> str:
        return f"{a} + {b}"


class Dropout(Op):
    """Inverted dropout with a given mask (Srivastava et al., 2014; Section 5.4).

    Cells that are kept are divided by the probability of being kept, so that the expected value
    stays the same.

    Attributes:
        rate: the probability of dropping a cell.
        kept: Boolean mask, True where a cell is kept.
    """

    __slots__ = ("rate", "kept", "_factors")

    def __init__(self, rate: float, kept: np.ndarray, dtype: np.dtype) -> None:
        self.rate = rate
        self.kept = kept
        self._factors = kept.astype(dtype) * (1 / (1 - rate))

    def forward(self, x: np.ndarray) -> np.ndarray:
        return x * self._factors

    def backward(self, g: np.ndarray, output: np.ndarray, *values: np.ndarray) -> Gradients:
        return (g * self._factors,)

    @property
    def note(self) -> str:
        p, kept = f"{self.rate:g}", f"{1 - self.rate:.10g}"
        return (
            f"Dropout with p = {p}: each number is set to 0 with probability {p}, and each that is "
            f"kept is divided by 1 − p = {kept}, so that its expected value stays. It regularizes: "
            "nothing learned may rely on a single number. It is for training alone, and off when "
            "the model is used."
        )

    def example(self, t: int) -> Dropout:
        return Dropout(self.rate, self.kept[t], self._factors.dtype)

    def explain(self, output: Tensor, index: Index) -> Expression:
        return Product((Cell(output.inputs[0], index), self._factor(index)))

    def explain_gradient(
        self, flow: Tensor, output: Tensor, which: int, index: Index
    ) -> Expression:
        return Product((Cell(flow, index), self._factor(index)))

    def _factor(self, index: Index) -> Number:
        if self.kept[index]:
            return Number(1 / (1 - self.rate), f"1/(1 − {self.rate:g})", exact=True)
        return Number(0.0, "0 (dropped)", exact=True)

    def latex(self, x: str) -> str:
        return rf"\mathrm{{dropout}}\left({x}\right)"


ADD = Add()
