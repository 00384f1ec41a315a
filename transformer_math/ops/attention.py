"""Scaled dot-product attention without its softmax (Section 3.2.1, equation 1)."""

from __future__ import annotations

import math

import numpy as np

from transformer_math.ops.base import Gradients, Op
from transformer_math.ops.expression import Cell, Expression, Number, Quotient, Sum, dot
from transformer_math.ops.tensor import Index, Tensor


def matmul_position_major(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Compute a @ b, with the heads of each position side by side in memory.

    a (B, h, n, m) and b (B, h, m, k) give (B, h, n, k), a view of memory in the order (B, n, h, k):
    the concatenation of heads and the gradient of a projection then need no copy.
    """
    if a.ndim != 4 or b.ndim != 4 or a.shape[:2] != b.shape[:2]:
        plain: np.ndarray = a @ b
        return plain
    batch, heads, n, _ = a.shape
    out = np.empty((batch, n, heads, b.shape[-1]), a.dtype).swapaxes(1, 2)
    return np.matmul(a, b, out=out)


def matmul_transposed(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Compute a @ bᵀ: a (…, n, k) and b (…, m, k) give (…, n, m).

    In a batch of many small matrices, copying bᵀ first is faster than multiplying by a view of it.
    """
    transposed = b.swapaxes(-1, -2)
    product: np.ndarray = a @ (np.ascontiguousarray(transposed) if b.ndim > 3 else transposed)
    return product


class AttentionScores(Op):
    """Q Kᵀ: q (…, n, k) and k (…, m, k) give (…, n, m)."""

    __slots__ = ()

    def forward(self, q: np.ndarray, k: np.ndarray) -> np.ndarray:
        return matmul_transposed(q, k)

    def backward(self, g: np.ndarray, output: np.ndarray, *values: np.ndarray) -> Gradients:
        """dQ = g K, dK = gᵀ Q."""
        q, k = values
        return matmul_position_major(g, k), matmul_position_major(g.swapaxes(-1, -2), q)

    def explain(self, output: Tensor, index: Index) -> Expression:
        q, k = output.inputs
        *lead, n, m = index
        inner = range(q.value.shape[-1])
        return dot([Cell(q, (*lead, n, i)) for i in inner], [Cell(k, (*lead, m, i)) for i in inner])

    def explain_gradient(
        self, flow: Tensor, output: Tensor, which: int, index: Index
    ) -> Expression:
        q, k = output.inputs
        *lead, at, i = index
        if which == 0:
            keys = range(k.value.shape[-2])
            return dot(
                [Cell(flow, (*lead, at, m)) for m in keys], [Cell(k, (*lead, m, i)) for m in keys]
            )
        queries = range(q.value.shape[-2])
        return dot(
            [Cell(flow, (*lead, n, at)) for n in queries], [Cell(q, (*lead, n, i)) for n in queries]
        )

    def latex(self, q: str, k: str) -> str:
        return rf"{q}\,{_transposed(k)}"


class Scale(Op):
    """Scores / √width, which keeps the softmax's gradient from vanishing (Section 3.2.1)."""

    __slots__ = ("width", "symbol", "_factor")

    def __init__(self, width: int, symbol: str) -> None:
        self.width = width
        self.symbol = symbol
        self._factor = 1 / math.sqrt(width)

    def forward(self, scores: np.ndarray) -> np.ndarray:
        return scores * self._factor

    def backward(self, g: np.ndarray, output: np.ndarray, *values: np.ndarray) -> Gradients:
        return (g * self._factor,)

    def explain(self, output: Tensor, index: Index) -> Expression:
        return Quotient(Cell(output.inputs[0], index), self._root)

    def explain_gradient(
        self, flow: Tensor, output: Tensor, which: int, index: Index
    ) -> Expression:
        return Quotient(Cell(flow, index), self._root)

    @property
    def _root(self) -> Number:
        return Number(math.sqrt(self.width), f"√{self.width}", exact=True)

    def latex(self, scores: str) -> str:
        return rf"\frac{{{scores}}}{{\sqrt{{{self.symbol}}}}}"


class _Mask(Op):
    """S + M; the mask has no gradient."""

    __slots__ = ()

    def backward(self, g: np.ndarray, output: np.ndarray, *values: np.ndarray) -> Gradients:
        return g, None

    def explain_gradient(
        self, flow: Tensor, output: Tensor, which: int, index: Index
    ) -> Expression:
        return Cell(flow, index)

    def latex(self, scores: str, mask: str) -> str:
        return f"{scores} + {mask}"


class AttentionMask(_Mask):
    """S + M with a mask for each pair of positions: M (…, n, m), S (…, h, n, m) (Section 3.2.3)."""

    __slots__ = ()

    def forward(self, scores: np.ndarray, mask: np.ndarray) -> np.ndarray:
        masked: np.ndarray = scores + (mask if mask.ndim == 2 else mask[..., None, :, :])
        return masked

    def explain(self, output: Tensor, index: Index) -> Expression:
        scores, mask = output.inputs
        return Sum((Cell(scores, index), Cell(mask, index[-2:])))


class KeyPaddingMask(_Mask):
    """S + M with a mask for each key, the same for every query: M (…, m), S (…, h, n, m)."""

    __slots__ = ()

    def forward(self, scores: np.ndarray, mask: np.ndarray) -> np.ndarray:
        masked: np.ndarray = scores + (mask if mask.ndim == 1 else mask[..., None, None, :])
        return masked

    def explain(self, output: Tensor, index: Index) -> Expression:
        scores, mask = output.inputs
        return Sum((Cell(scores, index), Cell(mask, index[-1:])))


class WeightedSum(Op):
    """A V: weights (…, n, m) and values (…, m, v) give (…, n, v)."""

    __slots__ = ()

    def forward(self, weights: np.ndarray, v: np.ndarray) -> np.ndarray:
        return matmul_position_major(weights, v)

    def backward(self, g: np.ndarray, output: np.ndarray, *values: np.ndarray) -> Gradients:
        """dA = g Vᵀ, dV = Aᵀ g."""
        weights, v = values
        return matmul_transposed(g, v), matmul_position_major(weights.swapaxes(-1, -2), g)

    def explain(self, output: Tensor, index: Index) -> Expression:
        weights, v = output.inputs
        *lead, n, j = index
        keys = range(v.value.shape[-2])
        return dot(
            [Cell(weights, (*lead, n, m)) for m in keys], [Cell(v, (*lead, m, j)) for m in keys]
        )

    def explain_gradient(
        self, flow: Tensor, output: Tensor, which: int, index: Index
    ) -> Expression:
        weights, v = output.inputs
        if which == 0:
            *lead, n, m = index
            inner = range(v.value.shape[-1])
            return dot(
                [Cell(flow, (*lead, n, j)) for j in inner], [Cell(v, (*lead, m, j)) for j in inner]
            )
        *lead, m, j = index
        queries = range(weights.value.shape[-2])
        return dot(
            [Cell(weights, (*lead, n, m)) for n in queries],
            [Cell(flow, (*lead, n, j)) for n in queries],
        )

    def latex(self, weights: str, v: str) -> str:
        return rf"{weights}\,{v}"


def _transposed(symbol: str) -> str:
    return f"({symbol})^{{\\top}}" if "^" in symbol else f"{symbol}^{{\\top}}"


ATTENTION_SCORES = AttentionScores()
ATTENTION_MASK = AttentionMask()
KEY_PADDING_MASK = KeyPaddingMask()
WEIGHTED_SUM = WeightedSum()
