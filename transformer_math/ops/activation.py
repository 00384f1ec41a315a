"""The activation of the feed-forward network: ReLU in the paper (Section 3.3, equation 2)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from transformer_math.ops.base import Elementwise, Gradients
from transformer_math.ops.expression import apply

_ROOT, _CUBE = math.sqrt(2 / math.pi), 0.044715  # of GELU's approximation


def relu(x: np.ndarray) -> np.ndarray:
    """Return max(0, x)."""
    y: np.ndarray = np.maximum(x, 0)
    return y


def relu_derivative(x: np.ndarray) -> np.ndarray:
    """Return 1 where x > 0, else 0; the derivative at x = 0 is usually defined as 0."""
    return (x > 0).astype(x.dtype)


def erf(x: np.ndarray) -> np.ndarray:
    """Return the error function, by ``math.erf`` in double precision, because NumPy has none."""
    flat = np.fromiter(map(math.erf, x.ravel().tolist()), np.float64, x.size)
    return flat.reshape(x.shape).astype(x.dtype, copy=False)


def gelu(x: np.ndarray) -> np.ndarray:
    """Return x Φ(x) with the exact distribution function Φ of the normal distribution.

    Hendrycks and Gimpel, 2016.
    """
    y: np.ndarray = 0.5 * x * (1 + erf(x * math.sqrt(0.5)))
    return y


def gelu_derivative(x: np.ndarray) -> np.ndarray:
    """Return Φ(x) + x φ(x), with the density φ of the normal distribution."""
    density = np.exp(-0.5 * x * x) * (1 / math.sqrt(2 * math.pi))
    y: np.ndarray = 0.5 * (1 + erf(x * math.sqrt(0.5))) + x * density
    return y


def gelu_tanh(x: np.ndarray) -> np.ndarray:
    """Return the tanh approximation of GELU, with which GPT-2 was trained."""
    y: np.ndarray = 0.5 * x * (1 + np.tanh(_ROOT * (x + _CUBE * x * x * x)))
    return y


def gelu_tanh_derivative(x: np.ndarray) -> np.ndarray:
    """Return ½ (1 + t) + ½ x (1 − t²) u′ with t = tanh u and u = √(2/π) (x + 0.044715 x³)."""
    t = np.tanh(_ROOT * (x + _CUBE * x * x * x))
    y: np.ndarray = 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * _ROOT * (1 + 3 * _CUBE * x * x)
    return y


def silu(x: np.ndarray) -> np.ndarray:
    """Return x σ(x) = x / (1 + exp(−x)), also called swish."""
    y: np.ndarray = x * _sigmoid(x)
    return y


def silu_derivative(x: np.ndarray) -> np.ndarray:
    """Return σ(x) (1 + x (1 − σ(x)))."""
    share = _sigmoid(x)
    y: np.ndarray = share * (1 + x * (1 - share))
    return y


def tanh_derivative(x: np.ndarray) -> np.ndarray:
    """Return 1 − tanh(x)²."""
    y: np.ndarray = 1 - np.tanh(x) ** 2
    return y


def identity(x: np.ndarray) -> np.ndarray:
    """Return x; without an activation, the feed-forward network is a single linear map."""
    return x


def _sigmoid(x: np.ndarray) -> np.ndarray:
    return 0.5 + 0.5 * np.tanh(0.5 * x)  # does not overflow, as exp(−x) would


class ActivationFunction(NamedTuple):
    """An activation function.

    Attributes:
        function: the function of an array.
        derivative: its derivative.
        name: the name in explanations.
        latex: the formula, with ``{x}`` for the argument.
        words: a description of the function, as on the page.
    """

    function: Callable[[np.ndarray], np.ndarray]
    derivative: Callable[[np.ndarray], np.ndarray]
    name: str
    latex: str
    words: str


ACTIVATION_FUNCTIONS: dict[str, ActivationFunction] = {
    "relu": ActivationFunction(
        relu, relu_derivative, "ReLU", r"\max(0, {x})", "what is negative becomes 0"
    ),
    "gelu": ActivationFunction(
        gelu, gelu_derivative, "GELU", r"{x}\,\Phi({x})", "what is far below 0 fades out smoothly"
    ),
    "gelu_tanh": ActivationFunction(
        gelu_tanh,
        gelu_tanh_derivative,
        "GELU (tanh)",
        r"\tfrac{1}{2}{x}\left(1+\tanh\left(\sqrt{2/\pi}\,({x}+0.044715\,{x}^{3})\right)\right)",
        "GELU by tanh, as GPT-2 computes it",
    ),
    "silu": ActivationFunction(
        silu, silu_derivative, "SiLU", r"{x}\,\sigma({x})", "a smooth ReLU with a dip below 0"
    ),
    "tanh": ActivationFunction(
        np.tanh, tanh_derivative, "tanh", r"\tanh({x})", "everything is pressed between −1 and 1"
    ),
    "identity": ActivationFunction(
        identity, np.ones_like, "identity", "{x}", "nothing is bent, so both maps are one"
    ),
}


class Activate(Elementwise):
    """Applies one of ``ACTIVATION_FUNCTIONS`` to each cell."""

    __slots__ = ("function",)

    def __init__(self, name: str) -> None:
        self.function = ACTIVATION_FUNCTIONS[name]

    def forward(self, x: np.ndarray) -> np.ndarray:
        y: np.ndarray = apply(self.function.name, self.function.function, x)
        return y

    def backward(self, g: np.ndarray, output: np.ndarray, *values: np.ndarray) -> Gradients:
        return (g * apply(f"{self.function.name}′", self.function.derivative, values[0]),)

    def latex(self, x: str) -> str:
        return self.function.latex.replace("{x}", x)
