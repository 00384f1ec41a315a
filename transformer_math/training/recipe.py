"""The settings of training (Sections 5.3 and 5.4)."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

from transformer_math.arguments import checked_settings
from transformer_math.checks import (
    MAX_SEED,
    check_above,
    check_choice,
    check_number,
    check_whole,
    make_plain,
)
from transformer_math.ops.loss import SMOOTHING_FORMS, SmoothingForm
from transformer_math.suggestions import RECIPE, signed
from transformer_math.training.optimizer import EPSILON
from transformer_math.training.schedules import Constant, LinearWarmupDecay, Noam, Schedule

SCHEDULES = ("linear", "noam", "constant", "paper")
# Changes to the defaults, with which the model answers every held-out pair correctly. If several
# words are right, smoothing would only lower their probabilities.
PRESETS: dict[str, dict[str, Any]] = {
    "dates": {},
    "phrases": {"steps": 1000, "batch": 64, "peak_learning_rate": 1e-2},
    "next-word": {"steps": 1000, "batch": 64, "peak_learning_rate": 1e-2, "smoothing": 0.0},
    "blanks": {"steps": 2000, "batch": 64, "peak_learning_rate": 1e-2, "smoothing": 0.0},
}


@signed
@checked_settings("A recipe", RECIPE)
@dataclass(frozen=True, slots=True)
class Recipe:
    """The settings of a training run.

    A trainer uses its data's preset (``for_data``) for settings that are not ``given``. The presets
    of the phrases differ from the default values below, which are those of the date translator.

    Attributes:
        steps: the number of steps, each with one batch.
        batch: the number of pairs in a batch.
        schedule: ``linear`` rises to the peak and falls to 0, ``paper`` is equation 3 (Section
            5.3), ``noam`` is equation 3 scaled to the peak, ``constant`` stays at the peak after
            the warm-up.
        peak_learning_rate: the highest learning rate; not used by ``paper``.
        warmup: the number of steps over which the rate rises.
        smoothing: ε of label smoothing (Section 5.4).
        smoothing_form: the words that share ε: ``paper``, all other words; ``torch``, all words.
        clip: the largest norm of the gradient; None for no clipping.
        beta_1: β₁ of Adam.
        beta_2: β₂ of Adam.
        epsilon: ε of Adam.
        seed: the seed of the batches and of dropout.
        given: the names of the settings that were given, not left at their defaults.

    Raises:
        ValueError: a setting is out of range; the message is one sentence with its limits.
    """

    steps: int = 600
    batch: int = 128
    schedule: str = "linear"
    peak_learning_rate: float = 3e-3
    warmup: int = 100
    smoothing: float = 0.1
    smoothing_form: SmoothingForm = "paper"
    clip: float | None = 1.0
    beta_1: float = 0.9
    beta_2: float = 0.98
    epsilon: float = 1e-9
    seed: int = 0
    given: frozenset[str] = dataclasses.field(init=False, repr=False, compare=False)

    def __new__(cls, *values: Any, **settings: Any) -> Recipe:
        """Record the names of the given settings."""
        known = [field.name for field in dataclasses.fields(cls) if field.init]
        recipe = object.__new__(cls)
        object.__setattr__(recipe, "given", frozenset((*known[: len(values)], *settings)))
        return recipe

    def __post_init__(self) -> None:
        make_plain(self)
        check_whole("steps", self.steps, 1, 1_000_000)
        check_whole("batch", self.batch, 1, 4096)
        check_whole("warmup", self.warmup, 0, 1_000_000)
        check_whole("seed", self.seed, 0, MAX_SEED)
        check_above("peak_learning_rate", self.peak_learning_rate, 0, 100)
        check_number("smoothing", self.smoothing, 0, 0.99)
        check_number("beta_1", self.beta_1, 0, 0.9999)
        check_number("beta_2", self.beta_2, 0, 0.999999)
        check_number("epsilon", self.epsilon, *EPSILON)
        if self.clip is not None:
            check_above("clip", self.clip, 0, 1e9)
        check_choice("schedule", self.schedule, SCHEDULES)
        check_choice("smoothing_form", self.smoothing_form, SMOOTHING_FORMS)
        if self.schedule == "linear" and self.warmup >= self.steps:
            raise ValueError(
                f"warmup ({self.warmup:,}) has to end before the last of the {self.steps:,} steps: "
                f"write Recipe(steps={self.steps}, warmup={self.steps // 10}, …)."
            )

    @classmethod
    def preset(cls, name: str, **changes: Any) -> Recipe:
        """Return the recipe of ``dates``, ``phrases``, ``next-word`` or ``blanks``, with changes.

        Raises:
            ValueError: no such preset, or a change is out of range.
        """
        check_choice("name", name, tuple(PRESETS))
        return cls(**{**PRESETS[name], **changes})

    def for_data(self, name: str) -> Recipe:
        """Return the recipe with the settings of the data's preset in place of those not given."""
        if self.given.issuperset(PRESETS.get(name, {})):
            return self
        own = {setting: getattr(self, setting) for setting in self.given}
        return Recipe(**{**PRESETS[name], **own})

    def learning_rate_schedule(self, d_model: int) -> Schedule:
        """Return the learning rate as a function of the step.

        The highest rate of ``paper`` is (d_model · warmup)^(−1/2), that of other schedules
        ``peak_learning_rate``.
        """
        if self.schedule == "linear":
            return LinearWarmupDecay(self.peak_learning_rate, self.warmup, self.steps)
        if self.schedule == "constant":
            return Constant(self.peak_learning_rate, self.warmup)
        warmup = max(self.warmup, 1)
        if self.schedule == "paper":
            return Noam(d_model, warmup)
        return Noam(d_model, warmup, self.peak_learning_rate * math.sqrt(d_model * warmup))

    def as_dict(self) -> dict[str, Any]:
        """Return name -> setting, as plain data."""
        data = dataclasses.asdict(self)
        del data["given"]
        return data
