"""Learning rates by step (Section 5.3). Steps count from 1: the first update is step 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from transformer_math.checks import check_above, check_whole, make_plain


@dataclass(frozen=True, slots=True)
class Schedule:
    """A learning rate for each step."""

    def __call__(self, step: int) -> float:
        """The rate of one step.

        Raises:
            ValueError: the step is below 1.
        """
        if step < 1:
            raise ValueError(f"Steps count from 1, so there is no step {step}.")
        return float(self._learning_rate(np.float64(step)))

    def learning_rates(self, n: int) -> np.ndarray:
        """(n,), the rates of the steps 1 to n."""
        rates: np.ndarray = self._learning_rate(np.arange(1, n + 1, dtype=np.float64))
        return rates

    def _learning_rate(self, step: Any) -> Any:
        """The formula, for one step or an array of them."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Noam(Schedule):
    """factor · d_model^(−1/2) · min(step^(−1/2), step · warmup^(−3/2)) (equation 3).

    Raises:
        ValueError: d_model or warmup is not a whole number from 1, or the factor not above 0.
    """

    d_model: int
    warmup: int = 4000
    factor: float = 1.0

    def __post_init__(self) -> None:
        make_plain(self)
        check_whole("d_model", self.d_model, 1)
        check_whole("warmup", self.warmup, 1)
        check_above("factor", self.factor, 0)

    @property
    def peak_learning_rate(self) -> float:
        """The highest rate, that of step ``warmup``."""
        return self(self.warmup)

    def _learning_rate(self, step: Any) -> Any:
        rising, falling = step * self.warmup**-1.5, step**-0.5
        return self.factor * self.d_model**-0.5 * np.minimum(falling, rising)


@dataclass(frozen=True, slots=True)
class LinearWarmupDecay(Schedule):
    """A straight line from 0 at step 0 to the peak at ``warmup``, another to 0 at ``steps``.

    The triangle of ``get_linear_schedule_with_warmup`` as many libraries have it, except that
    they ask for the first update's rate at 0, where it is 0, and here the first update is step 1:
    so it already has a rate, and the update that does nothing is the last one. Later steps have
    the rate 0, too. Without warm-up the line falls from the peak at step 0.

    Raises:
        ValueError: the peak is not above 0, a count is not a whole number from 0, or ``steps``
            is not above ``warmup``.
    """

    peak_learning_rate: float
    warmup: int
    steps: int

    def __post_init__(self) -> None:
        make_plain(self)
        check_above("peak_learning_rate", self.peak_learning_rate, 0)
        check_whole("warmup", self.warmup, 0)
        check_whole("steps", self.steps, 1)
        if self.steps <= self.warmup:
            raise ValueError(
                f"steps ({self.steps:,}) goes beyond the {self.warmup:,} of the warm-up."
            )

    def _learning_rate(self, step: Any) -> Any:
        # Before the warm-up's end the rising line is the lower one, after it the falling one.
        rising = step / max(self.warmup, 1)
        falling = (self.steps - step) / (self.steps - self.warmup)
        return self.peak_learning_rate * np.maximum(np.minimum(rising, falling), 0)


@dataclass(frozen=True, slots=True)
class Constant(Schedule):
    """The same rate at every step, after a straight line from 0 at step 0 to it at ``warmup``.

    Raises:
        ValueError: the rate is not above 0, or warmup is not a whole number from 0.
    """

    learning_rate: float
    warmup: int = 0

    def __post_init__(self) -> None:
        make_plain(self)
        check_above("learning_rate", self.learning_rate, 0)
        check_whole("warmup", self.warmup, 0)

    def _learning_rate(self, step: Any) -> Any:
        return self.learning_rate * np.minimum(step / max(self.warmup, 1), 1)
