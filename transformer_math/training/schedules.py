"""Learning rates by step (Section 5.3). Steps count from 1: the first update is step 1."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np


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
        return float(self._rate(np.float64(step)))

    def rates(self, n: int) -> np.ndarray:
        """(n,), the rates of the steps 1 to n."""
        return self._rate(np.arange(1, n + 1, dtype=np.float64))

    def describe(self) -> str:
        """The schedule in one sentence."""
        raise NotImplementedError

    def _rate(self, step: Any) -> Any:
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
        _check_whole("d_model", self.d_model, 1)
        _check_whole("warmup", self.warmup, 1)
        _check_positive("factor", self.factor)

    @property
    def peak(self) -> float:
        """The highest rate, that of step ``warmup``."""
        return self(self.warmup)

    def describe(self) -> str:
        return (
            f"The rate rises in a straight line to {self.peak:.3g} at step {self.warmup:,} "
            "and then falls as 1 over the square root of the step (equation 3 of the paper)."
        )

    def _rate(self, step: Any) -> Any:
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

    peak: float
    warmup: int
    steps: int

    def __post_init__(self) -> None:
        _check_positive("peak", self.peak)
        _check_whole("warmup", self.warmup, 0)
        _check_whole("steps", self.steps, 1)
        if self.steps <= self.warmup:
            raise ValueError(
                f"steps ({self.steps:,}) goes beyond the {self.warmup:,} of the warm-up."
            )

    def describe(self) -> str:
        rise = (
            f"rises in a straight line to {self.peak:.3g} at step {self.warmup:,} and then"
            if self.warmup
            else f"begins at {self.peak:.3g} and"
        )
        return f"The rate {rise} falls in a straight line to 0 at step {self.steps:,}."

    def _rate(self, step: Any) -> Any:
        # Before the warm-up's end the rising line is the lower one, after it the falling one.
        rising = step / max(self.warmup, 1)
        falling = (self.steps - step) / (self.steps - self.warmup)
        return self.peak * np.maximum(np.minimum(rising, falling), 0)


@dataclass(frozen=True, slots=True)
class Constant(Schedule):
    """The same rate at every step, after a straight line from 0 at step 0 to it at ``warmup``.

    Raises:
        ValueError: the rate is not above 0, or warmup is not a whole number from 0.
    """

    rate: float
    warmup: int = 0

    def __post_init__(self) -> None:
        _check_positive("rate", self.rate)
        _check_whole("warmup", self.warmup, 0)

    def describe(self) -> str:
        if not self.warmup:
            return f"The rate is {self.rate:.3g} at every step."
        return (
            f"The rate rises in a straight line to {self.rate:.3g} at step {self.warmup:,} "
            "and stays there."
        )

    def _rate(self, step: Any) -> Any:
        return self.rate * np.minimum(step / max(self.warmup, 1), 1)


SCHEDULES: Mapping[str, type[Schedule]] = MappingProxyType(
    {"noam": Noam, "linear": LinearWarmupDecay, "constant": Constant}
)


def schedule_of(name: str, **settings: Any) -> Schedule:
    """A schedule by its name, ``noam``, ``linear`` or ``constant``, and its settings.

    Raises:
        ValueError: there is no such schedule, or a setting is unknown, missing or out of range.
    """
    if name not in SCHEDULES:
        raise ValueError(f"A schedule is one of {', '.join(SCHEDULES)}, not {name!r}.")
    kind = SCHEDULES[name]
    fields = dataclasses.fields(kind)
    known = [field.name for field in fields]
    for setting in settings:
        if setting not in known:
            raise ValueError(
                f"The schedule {name} is set by {', '.join(known)}, and has no {setting}."
            )
    for field in fields:
        if field.default is dataclasses.MISSING and field.name not in settings:
            raise ValueError(f"The schedule {name} needs a {field.name}.")
    return kind(**settings)


def _check_whole(name: str, value: object, limit: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < limit:
        raise ValueError(f"{name} is a whole number from {limit}, not {value!r}.")


def _check_positive(name: str, value: object) -> None:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 < value < math.inf:
        raise ValueError(f"{name} is a number above 0, not {value!r}.")
