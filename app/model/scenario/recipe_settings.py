"""The training recipe: every choice about training that is not part of the model's settings."""

from __future__ import annotations

import param

from transformer_math import Recipe
from transformer_math.ops.loss import SmoothingForm
from transformer_math.training.optimizer import EPSILON

from .settings import Settings

MOST_STEPS = 5000


class RecipeSettings(Settings):
    """A training recipe (Sections 5.3 and 5.4). Seed and label smoothing are model settings.

    The bounds are the range that the page offers, which is narrower than that of ``Recipe``.
    """

    steps = param.Integer(
        default=1000,
        bounds=(1, MOST_STEPS),
        step=100,
        label="steps",
        doc="The number of training steps. The schedule ends with the last step.",
    )
    batch = param.Integer(
        default=64,
        bounds=(1, 256),
        step=32,
        label="pairs in a batch",
        doc="The number of pairs per step.",
    )
    schedule = param.Selector(
        default="linear",
        objects={
            "up and down": "linear",
            "the paper’s, scaled": "noam",
            "the paper’s": "paper",
            "constant": "constant",
        },
        label="schedule",
        doc="Up and down: to the peak and back to 0. The paper’s: equation 3; scaled: equation 3 "
        "with the peak chosen here. Constant: always the peak.",
    )
    peak_learning_rate = param.Number(
        default=1e-2,
        bounds=(1e-5, 1.0),
        step=0.001,
        label="peak learning rate",
        doc="The highest learning rate of the schedule.",
    )
    warmup = param.Integer(
        default=100,
        bounds=(0, MOST_STEPS),
        step=50,
        label="warm-up steps",
        doc="The rate rises over this many steps, while Adam estimates the size of the gradients.",
    )
    clip = param.Number(
        default=1.0,
        bounds=(0, 100),
        step=0.5,
        label="clip the gradient at",
        doc="A gradient with a larger norm is scaled down to this norm; 0: no clipping.",
    )
    beta_1 = param.Number(
        default=0.9,
        bounds=(0, 0.9999),
        step=0.05,
        label="β₁",
        doc="The share of Adam’s mean of gradients that remains from step to step.",
    )
    beta_2 = param.Number(
        default=0.98,
        bounds=(0, 0.9999),
        step=0.01,
        label="β₂",
        doc="The same for the mean of squared gradients; the paper uses 0.98.",
    )
    epsilon = param.Number(
        default=1e-9,
        bounds=EPSILON,
        step=1e-9,
        label="ε",
        doc="Prevents Adam from dividing by 0; the paper uses 1e-9.",
    )

    @property
    def longest_warmup(self) -> int:
        """The maximum number of warm-up steps; the linear schedule needs a step after them."""
        return self.steps - 1 if self.schedule == "linear" else MOST_STEPS

    def check(self) -> None:
        if self.warmup > self.longest_warmup:
            raise ValueError(
                f"The warm-up ({self.warmup} steps) has to end before the last of the "
                f"{self.steps} steps."
            )

    def recipe(self, seed: int, smoothing: float, form: SmoothingForm) -> Recipe:
        """Return the recipe of ``transformer_math`` with the model's seed and label smoothing."""
        own = {**self.values(), "clip": float(self.clip) or None}
        return Recipe(**own, seed=seed, smoothing=float(smoothing), smoothing_form=form)

    @classmethod
    def of(cls, recipe: Recipe) -> RecipeSettings:
        """Return the settings that describe a recipe, for instance that of a saved run.

        Raise ``ValueError`` if the recipe uses something that these settings cannot express.
        """
        own = {**recipe.as_dict(), "clip": recipe.clip or 0.0}
        return cls(**{name: cls.checked(name, own[name]) for name in cls.names()})
