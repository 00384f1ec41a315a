"""What can be chosen of a training, with its limits."""

from __future__ import annotations

import math
from typing import Any, Self

import param

from transformer_math import Config, DropoutRates, Recipe
from transformer_math.data.pairs import Pairs
from transformer_math.ops.loss import smoothed_targets
from transformer_math.training.recipe import SCHEDULES
from transformer_math.training.trainer import config_for

from ..scenario.model_settings import MAX_SEED
from ..scenario.settings import Settings
from .ablations import ABLATIONS

SCHEDULE_LABELS = {"linear": "up and down", "noam": "the paper's", "constant": "constant"}
# Of the scores and of what flows through the layers, in one step: some 400 MB with gradients.
MAX_NUMBERS = 30_000_000


class TrainingSettings(Settings):
    """Every choice of a run but its pairs; the defaults learn the dates in some 600 steps.

    Raises:
        ValueError: the settings do not fit one another; one sentence.
    """

    d_model = param.Integer(
        default=32,
        bounds=(4, 64),
        step=8,
        label="d_model",
        doc="How many numbers stand for a token.",
    )
    heads = param.Integer(
        default=4,
        bounds=(1, 8),
        label="heads",
        doc="Into how many attentions d_model is split.",
    )
    encoder_layers = param.Integer(
        default=1, bounds=(1, 3), label="encoder layers", doc="Layers that read the source."
    )
    decoder_layers = param.Integer(
        default=1, bounds=(1, 3), label="decoder layers", doc="Layers that write the target."
    )
    steps = param.Integer(
        default=600,
        bounds=(1, 5000),
        step=100,
        label="steps",
        doc="How many batches are learned from; the schedule ends with the last.",
    )
    peak_learning_rate = param.Number(
        default=3e-3,
        bounds=(1e-5, 1.0),
        step=0.001,
        label="peak learning rate",
        doc="The learning rate where it is highest: how far a step goes.",
    )
    warmup = param.Integer(
        default=100,
        bounds=(0, 5000),
        step=50,
        label="warm-up steps",
        doc="Over so many steps the rate rises, while Adam gathers what gradients are like.",
    )
    schedule = param.Selector(
        default="linear",
        objects={SCHEDULE_LABELS[name]: name for name in SCHEDULES},
        label="schedule",
        doc="Up and down: to the highest rate and back to 0. The paper’s falls as 1 over the "
        "square root of the step. Constant stays.",
    )
    smoothing = param.Number(
        default=0.1,
        bounds=(0, 0.5),
        step=0.05,
        label="label smoothing",
        doc="How much of the target goes to the wrong letters; the paper has 0.1. The loss "
        "then cannot reach 0.",
    )
    clip = param.Number(
        default=1.0,
        bounds=(0, 100),
        step=0.5,
        label="clip the gradient at",
        doc="A gradient longer than this is shortened to it; 0 leaves it as it is.",
    )
    dropout = param.Number(
        default=0.0,
        bounds=(0, 0.9),
        step=0.05,
        label="dropout",
        doc="The share of numbers dropped after embeddings and sublayers; the paper has 0.1.",
    )
    batch = param.Integer(
        default=128,
        bounds=(1, 256),
        step=32,
        label="pairs in a batch",
        doc="How many pairs a step learns from.",
    )
    seed = param.Integer(
        default=0,
        bounds=(0, MAX_SEED),
        label="seed",
        doc="Draws the first weights and the batches: the same seed, the same run.",
    )
    ablation = param.Selector(
        default="none",
        objects={piece.label: name for name, piece in ABLATIONS.items()},
        label="take out",
        doc="Take out one piece of the Transformer and see what it was for.",
    )

    def check(self) -> None:
        if self.d_model % self.heads:
            raise ValueError(
                f"d_model ({self.d_model}) has to be a multiple of heads ({self.heads}), "
                "so that the heads share it evenly."
            )
        if self.d_model % 2:
            raise ValueError("d_model has to be even: positions come in pairs of sine and cosine.")
        if self.schedule == "linear" and self.warmup >= self.steps:
            raise ValueError(
                f"The warm-up ({self.warmup:,}) has to end before the last "
                f"of the {self.steps:,} steps."
            )

    def changed(self, name: str, raw: Any) -> Self:
        """The settings with one of them replaced; ``raw`` may be the text that was typed.

        A piece that is taken out brings settings with it, and takes them away again when it is
        put back. Heads and d_model are kept together: the one that was not typed gives way.

        Raises:
            ValueError: one sentence that names the limit.
        """
        if name == "ablation":
            return self._with_ablation(self.checked(name, raw))
        if name == "heads":
            heads = self.parsed(name, raw)
            step, high = math.lcm(2, heads), int(self.limits("d_model").high or 0)
            d_model = min(-(-self.d_model // step) * step, high // step * step)
            return self.replace(heads=heads, d_model=d_model)
        return super().changed(name, raw)

    def minimum_loss(self, pairs: Pairs) -> float:
        """What the loss cannot fall below: the entropy of the smoothed target distribution."""
        size = pairs.target_tokenizer.size
        right, other = smoothed_targets(self.smoothing, "paper", size)
        return -right * math.log(right) - ((size - 1) * other * math.log(other) if other else 0)

    def config(self, pairs: Pairs) -> Config:
        """The model for these pairs."""
        return config_for(
            pairs,
            d_model=self.d_model,
            heads=self.heads,
            encoder_layers=self.encoder_layers,
            decoder_layers=self.decoder_layers,
            dropout=DropoutRates.paper(self.dropout),
            **ABLATIONS[self.ablation].config,
        )

    def check_size(self, pairs: Pairs) -> None:
        """See that a step fits into memory: long pairs make long rows in every matrix.

        Raises:
            ValueError: it does not; one sentence that says what to do.
        """
        n, m = pairs.source_length, pairs.target_length
        scores = self.encoder_layers * n * n + self.decoder_layers * (m * m + n * m)
        streams = 12 * self.d_model * (self.encoder_layers * n + self.decoder_layers * m)
        if self.batch * (self.heads * scores + streams) > MAX_NUMBERS:
            raise ValueError(
                f"With {max(n, m)} characters on a side, {self.batch} such pairs in a batch are "
                "too many for a model of this size: choose a smaller batch."
            )

    @property
    def recipe(self) -> Recipe:
        """How the model is trained."""
        return Recipe(
            steps=self.steps,
            batch=self.batch,
            schedule=self.schedule,
            peak_learning_rate=float(self.peak_learning_rate),
            warmup=self.warmup,
            smoothing=float(self.smoothing),
            clip=float(self.clip) or None,
            seed=self.seed,
        )

    @classmethod
    def from_recipe(cls, config: Config, recipe: Recipe, pairs: Pairs) -> Self:
        """The settings that a saved run was made with.

        Raises:
            ValueError: it was made with something that cannot be chosen here.
        """
        common: dict[str, Any] = {
            "d_model": config.d_model,
            "heads": config.heads,
            "encoder_layers": config.encoder_layers,
            "decoder_layers": config.decoder_layers,
            "dropout": config.dropout.embedding,
            "steps": recipe.steps,
            "peak_learning_rate": recipe.peak_learning_rate,
            "warmup": recipe.warmup,
            "schedule": recipe.schedule,
            "smoothing": recipe.smoothing,
            "clip": recipe.clip or 0.0,
            "batch": recipe.batch,
            "seed": recipe.seed,
        }
        plain = cls().from_dict(common)
        # A piece that changes the recipe alone is known by the settings that came with it.
        for name, piece in reversed(ABLATIONS.items()):
            candidate = plain.replace(ablation=name)
            as_set = all(common[key] == value for key, value in piece.settings.items())
            if candidate.config(pairs) == config and (piece.config or as_set):
                return candidate
        raise ValueError("This run was made with settings that this page does not have.")

    def _with_ablation(self, name: str) -> Self:
        changed = ABLATIONS[self.ablation].settings
        restored = {setting: type(self).param[setting].default for setting in changed}
        return self.replace(**{**restored, **ABLATIONS[name].settings, "ablation": name})
