"""How a model is trained (Sections 5.3 and 5.4): every choice that is not the model's own."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

from transformer_math.ops.loss import SMOOTHING_FORMS, SmoothingForm
from transformer_math.training.schedules import Constant, LinearWarmupDecay, Noam, Schedule

SCHEDULE_NAMES = ("linear", "noam", "constant")


@dataclass(frozen=True, slots=True)
class Recipe:
    """The settings of a training run; the defaults are those of the date translator.

    Raises:
        ValueError: a setting is out of range; one sentence that names it and its limit.
    """

    steps: int = 600
    batch: int = 128
    schedule: str = "linear"  # to the peak and back to 0; "noam" is the paper's (Section 5.3)
    peak: float = 3e-3
    warmup: int = 100
    smoothing: float = 0.1  # label smoothing (Section 5.4)
    smoothing_form: SmoothingForm = "paper"
    clip: float | None = 1.0  # the largest norm of the gradient; None leaves it as it is
    beta_1: float = 0.9
    beta_2: float = 0.98
    epsilon: float = 1e-9
    seed: int = 0  # of the batches and of dropout

    def __post_init__(self) -> None:
        _whole("steps", self.steps, 1, 1_000_000)
        _whole("batch", self.batch, 1, 4096)
        _whole("warmup", self.warmup, 0, 1_000_000)
        _whole("seed", self.seed, 0, 2**31 - 1)
        _number("peak", self.peak, 0, 100, above=True)
        _number("smoothing", self.smoothing, 0, 0.99)
        _number("beta_1", self.beta_1, 0, 0.9999)
        _number("beta_2", self.beta_2, 0, 0.999999)
        _number("epsilon", self.epsilon, 1e-30, 1)
        if self.clip is not None:
            _number("clip", self.clip, 0, 1e9, above=True)
        if self.schedule not in SCHEDULE_NAMES:
            names = ", ".join(SCHEDULE_NAMES)
            raise ValueError(f"schedule is one of {names}, not {self.schedule!r}.")
        if self.smoothing_form not in SMOOTHING_FORMS:
            raise ValueError(f"smoothing_form is one of {', '.join(SMOOTHING_FORMS)}.")
        if self.schedule == "linear" and self.warmup >= self.steps:
            raise ValueError(
                f"warmup ({self.warmup:,}) has to end before the last of the {self.steps:,} steps."
            )

    def rates(self, d_model: int) -> Schedule:
        """The learning rate of every step.

        The paper's schedule is scaled so that its highest rate is the peak; with the paper's
        own peak, d_model^(−1/2) · warmup^(−1/2), it is equation 3 as it stands.
        """
        if self.schedule == "linear":
            return LinearWarmupDecay(self.peak, self.warmup, self.steps)
        if self.schedule == "constant":
            return Constant(self.peak, self.warmup)
        warmup = max(self.warmup, 1)
        return Noam(d_model, warmup, self.peak * math.sqrt(d_model * warmup))

    def as_dict(self) -> dict[str, Any]:
        """The settings by name, as plain data."""
        return dataclasses.asdict(self)


def _whole(name: str, value: object, low: int, high: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise ValueError(f"{name} is a whole number from {low:,} to {high:,}, not {value!r}.")


def _number(name: str, value: object, low: float, high: float, above: bool = False) -> None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not low <= value <= high or (above and value == low):  # type: ignore[operator]
        limit = f"above {low:g} and at most {high:g}" if above else f"from {low:g} to {high:g}"
        raise ValueError(f"{name} is a number {limit}, not {value!r}.")
