"""Adam (Kingma and Ba, 2015) with the paper's settings (Section 5.3), and gradient clipping.

Both work on one vector of all parameters; see ``parameter_vector``.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from transformer_math.arguments import checked
from transformer_math.checks import (
    check_above,
    check_fraction,
    check_number,
    check_whole,
    described,
    naming,
    plain,
)

# The range of ε: a smaller ε rounds to 0 in float32, so that a gradient of 0 would give 0/0.
EPSILON = (1e-30, 1.0)


class AdamState(NamedTuple):
    """The state of Adam between two steps.

    Attributes:
        steps: the number of steps taken.
        m: (size,), the running mean of the gradient.
        v: (size,), the running mean of the gradient's square.
    """

    steps: int
    m: np.ndarray
    v: np.ndarray


class Adam:
    """The Adam optimizer, with the settings of Section 5.3 by default.

    m ← β₁m + (1−β₁)g,  v ← β₂v + (1−β₂)g²,  θ ← θ − η · m̂ / (√v̂ + ε)

    where η is the learning rate, and m̂ = m/(1−β₁ᵗ) and v̂ = v/(1−β₂ᵗ) correct the bias of means
    that start at 0.

    Attributes:
        steps: t, the number of steps taken.
        beta_1: β₁.
        beta_2: β₂.
        epsilon: ε.
    """

    @checked(ranges=True)
    def __init__(
        self,
        parameters: np.ndarray,
        beta_1: float = 0.9,
        beta_2: float = 0.98,
        epsilon: float = 1e-9,
    ) -> None:
        """Start with both means at 0.

        Args:
            parameters: (size,), for the size and dtype of the means; not kept.
            beta_1: β₁.
            beta_2: β₂.
            epsilon: ε.

        Raises:
            ValueError: a β is not in [0, 1), or ε is not in [1e-30, 1].
        """
        beta_1, beta_2, epsilon = map(plain, (beta_1, beta_2, epsilon))
        for name, beta in (("beta_1", beta_1), ("beta_2", beta_2)):
            check_fraction(name, beta)
        check_number("epsilon", epsilon, *EPSILON)
        self.beta_1 = beta_1
        self.beta_2 = beta_2
        self.epsilon = epsilon
        self.steps = 0
        self._m = np.zeros_like(parameters)
        self._v = np.zeros_like(parameters)
        self._scratch = np.empty_like(parameters)

    def step(self, parameters: np.ndarray, gradient: np.ndarray, learning_rate: float) -> None:
        """Change the parameters in place.

        Args:
            parameters: (size,), changed in place.
            gradient: (size,), of the loss.
            learning_rate: the learning rate of this step.

        Raises:
            ValueError: the learning rate is negative or not finite, or a vector is of another
                size.
        """
        check_number("learning_rate", learning_rate, 0)
        _check_vector("parameters", parameters, self._m.shape)
        _check_vector("gradient", gradient, self._m.shape)
        self.steps += 1
        # The bias corrections are applied to ε and to the learning rate instead of the vectors.
        correction = math.sqrt(1 - self.beta_2**self.steps)
        update(
            parameters,
            gradient,
            self._m,
            self._v,
            beta_1=self.beta_1,
            beta_2=self.beta_2,
            epsilon=self.epsilon * correction,
            learning_rate=float(learning_rate) * correction / (1 - self.beta_1**self.steps),
            scratch=self._scratch,
        )

    def state(self) -> AdamState:
        """Return a copy of the state."""
        return AdamState(self.steps, self._m.copy(), self._v.copy())

    @checked()
    def load(self, state: AdamState) -> None:
        """Continue from a state.

        Raises:
            ValueError: the size differs, or the numbers are impossible for Adam.
        """
        steps, m, v = state
        with naming("state"):
            self._check(steps, m, v)
        self.steps = steps
        self._m[...] = m
        self._v[...] = v

    def _check(self, steps: int, m: np.ndarray, v: np.ndarray) -> None:
        """Check a state; errors as for ``load``."""
        check_whole("Adam's count of steps", steps, 0)
        if not m.shape == v.shape == self._m.shape:
            raise ValueError(
                f"Adam's means {m.shape} and {v.shape} belong to other parameters than these "
                f"{self._m.shape}."
            )
        if not (np.isfinite(m).all() and np.isfinite(v).all() and (v >= 0).all()):
            raise ValueError("Adam's means are finite, and the mean of squares is not below 0.")


def update(  # noqa: PLR0913 - the quantities of the paper's algorithm
    x: np.ndarray,
    gradient: np.ndarray,
    m: np.ndarray,
    v: np.ndarray,
    *,
    beta_1: float,
    beta_2: float,
    epsilon: float,
    learning_rate: float,
    scratch: np.ndarray,
) -> None:
    """Update m and v with the gradient, and x to x − η · m/(√v + ε), in place.

    This is the form at the end of Section 2 of Kingma and Ba, in which ε and the learning rate η
    include the bias corrections. All arrays have the same shape; ``scratch`` is overwritten.
    """
    np.multiply(gradient, 1 - beta_1, out=scratch)
    m *= beta_1
    m += scratch
    np.multiply(gradient, gradient, out=scratch)
    scratch *= 1 - beta_2
    v *= beta_2
    v += scratch
    np.sqrt(v, out=scratch)
    scratch += epsilon
    np.divide(m, scratch, out=scratch)
    scratch *= learning_rate
    x -= scratch


def _check_vector(name: str, array: np.ndarray, shape: tuple[int, ...] | None = None) -> None:
    """Check an array of a step.

    Raises:
        ValueError: the argument is not an array of real numbers, or has another shape.
    """
    if not isinstance(array, np.ndarray) or array.dtype.kind != "f":
        raise ValueError(f"{name} is a NumPy array of real numbers, not {described(array)}.")
    if shape is not None and array.shape != shape:
        raise ValueError(f"{name} has the shape {array.shape}, and {shape} is asked for.")


def clip_gradient(gradient: np.ndarray, limit: float) -> float:
    """Scale a gradient (size,) in place to limit its norm.

    The scale is limit / (norm + 1e-6) if that is below 1, as in PyTorch. A gradient with NaN or
    infinite numbers is not changed.

    Returns:
        The norm before, which is not finite if the gradient is not.

    Raises:
        ValueError: the limit is not above 0.
    """
    _check_vector("gradient", gradient)
    if not (isinstance(limit, float) and limit == math.inf):
        check_above("limit", limit, 0)
    norm = math.sqrt(np.vdot(gradient, gradient))
    if not math.isfinite(norm):
        # In float32, squares overflow from 2e19 on, although the gradient is finite.
        wide = gradient.astype(np.float64)
        norm = math.sqrt(np.vdot(wide, wide))
    scale = limit / (norm + 1e-6)
    if scale < 1 and math.isfinite(norm):
        gradient *= scale
    return norm
