"""Learning-rate schedules (Section 5.3); the first update is step 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from transformer_math.arguments import checked, checked_settings
from transformer_math.checks import check_above, check_whole, make_plain


@dataclass(frozen=True, slots=True)
class Schedule:
    """A learning rate for each step."""

    @checked()
    def __call__(self, step: int) -> float:
        """Return the learning rate of one step.

        Args:
            step: its number, from 1.

        Raises:
            ValueError: the step is below 1.
        """
        if step < 1:
            raise ValueError(f"Steps count from 1, so there is no step {step}.")
        return float(self._learning_rate(np.float64(step)))

    @checked()
    def learning_rates(self, n: int) -> np.ndarray:
        """Return the learning rates of steps 1 to n: (n,).

        Args:
            n: the number of steps.

        Raises:
            ValueError: n is negative.
        """
        check_whole("n", n, 0)
        rates: np.ndarray = self._learning_rate(np.arange(1, n + 1, dtype=np.float64))
        return rates

    def _learning_rate(self, step: Any) -> Any:
        """Return the formula, for a step or an array of steps."""
        raise NotImplementedError


@checked_settings("Noam")
@dataclass(frozen=True, slots=True)
class Noam(Schedule):
    """factor · d_model^(−1/2) · min(step^(−1/2), step · warmup^(−3/2)) (equation 3).

    ``noam(step)`` is the learning rate of one step.

    Attributes:
        d_model: the width of the model.
        warmup: the number of steps over which the rate rises.
        factor: the factor by which the rates of the paper are multiplied.

    Raises:
        ValueError: d_model or warmup is not an integer from 1, or the factor is not above 0.
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
        """The highest learning rate, that of step ``warmup``."""
        return self(self.warmup)

    def _learning_rate(self, step: Any) -> Any:
        rising, falling = step * self.warmup**-1.5, step**-0.5
        return self.factor * self.d_model**-0.5 * np.minimum(falling, rising)


@dataclass(frozen=True, slots=True)
class LinearWarmupDecay(Schedule):
    """Linear from 0 at step 0 to the peak at ``warmup``, then linear to 0 at ``steps``.

    This is ``get_linear_schedule_with_warmup`` of other libraries, with one difference: their first
    update is step 0, with the rate 0. Here the first update is step 1, and the last update and all
    later updates have the rate 0. Without a warm-up the rate falls from the peak at step 0.

    Raises:
        ValueError: the peak is not above 0, a count is not an integer from 0, or ``steps`` is not
            above ``warmup``.
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
        # The lower of the two lines is the rising one before ``warmup``, the falling one after it.
        rising = step / max(self.warmup, 1)
        falling = (self.steps - step) / (self.steps - self.warmup)
        return self.peak_learning_rate * np.maximum(np.minimum(rising, falling), 0)


@dataclass(frozen=True, slots=True)
class Constant(Schedule):
    """Linear from 0 at step 0 to ``learning_rate`` at ``warmup``, then constant.

    Raises:
        ValueError: the rate is not above 0, or warmup is not an integer from 0.
    """

    learning_rate: float
    warmup: int = 0

    def __post_init__(self) -> None:
        make_plain(self)
        check_above("learning_rate", self.learning_rate, 0)
        check_whole("warmup", self.warmup, 0)

    def _learning_rate(self, step: Any) -> Any:
        return self.learning_rate * np.minimum(step / max(self.warmup, 1), 1)
