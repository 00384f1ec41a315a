"""The activation of the feed-forward network: ReLU in the paper (Section 3.3, equation 2)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from transformer_math.expression import Apply, Cell, Expression
from transformer_math.ops.base import Op
from transformer_math.tensor import Index, Tensor


def relu(x: np.ndarray) -> np.ndarray:
    """max(0, x)."""
    return np.maximum(x, 0)


def erf(x: np.ndarray) -> np.ndarray:
    """The error function in double precision; NumPy has none, so the standard library's serves."""
    flat = np.fromiter(map(math.erf, x.ravel().tolist()), np.float64, x.size)
    return flat.reshape(x.shape).astype(x.dtype, copy=False)


def gelu(x: np.ndarray) -> np.ndarray:
    """x Φ(x) with the exact normal distribution function (Hendrycks and Gimpel, 2016)."""
    return 0.5 * x * (1 + erf(x * math.sqrt(0.5)))


def gelu_tanh(x: np.ndarray) -> np.ndarray:
    """The approximation of GELU by tanh, which some checkpoints were trained with."""
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x)))


def silu(x: np.ndarray) -> np.ndarray:
    """x / (1 + exp(−x)), also called swish; tanh keeps large arguments from overflowing."""
    return x * (0.5 + 0.5 * np.tanh(0.5 * x))


def identity(x: np.ndarray) -> np.ndarray:
    """x, unchanged: two linear maps in a row, which are no more than one."""
    return x


class Kind(NamedTuple):
    """An activation: its function, how it is called, its formula, and what it does in words."""

    function: Callable[[np.ndarray], np.ndarray]
    name: str
    latex: str
    words: str


KINDS: dict[str, Kind] = {
    "relu": Kind(relu, "ReLU", r"\max(0, {x})", "what is negative becomes 0"),
    "gelu": Kind(gelu, "GELU", r"{x}\,\Phi({x})", "what is far below 0 fades out smoothly"),
    "silu": Kind(silu, "SiLU", r"{x}\,\sigma({x})", "a smooth ReLU with a dip below 0"),
    "tanh": Kind(np.tanh, "tanh", r"\tanh({x})", "everything is pressed between −1 and 1"),
    "identity": Kind(identity, "identity", "{x}", "nothing is bent, so both maps are one"),
}


class Activate(Op):
    """One of the activations, cell by cell."""

    __slots__ = ("kind",)

    def __init__(self, name: str) -> None:
        self.kind = KINDS[name]

    def forward(self, x: np.ndarray) -> np.ndarray:  # type: ignore[override]
        return self.kind.function(x)

    def explain(self, output: Tensor, index: Index) -> Expression:
        function = self.kind.function
        return Apply(
            self.kind.name,
            lambda x: float(function(np.array([x]))[0]),
            Cell(output.inputs[0], index),
        )

    def latex(self, x: str) -> str:  # type: ignore[override]
        return self.kind.latex.replace("{x}", x)
