"""What can be chosen of a training, with its limits."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from transformer_math import Config, DropoutRates, Recipe
from transformer_math.data.pairs import Pairs
from transformer_math.ops.loss import smoothed_targets
from transformer_math.training.trainer import config_for


class Ablation(NamedTuple):
    """A piece of the Transformer that can be taken out, to see what it is for.

    Attributes:
        label: how it is called.
        about: what to expect, as it was measured with the settings that come with it.
        settings: settings that come with it, so that it shows.
        config: what of the model is other than in the paper.
    """

    label: str
    about: str
    settings: dict[str, Any]
    config: dict[str, Any]


ABLATIONS: dict[str, Ablation] = {
    "": Ablation(
        "nothing",
        "The Transformer of the paper, small. With the dates and these settings as they "
        "come every held-out date is right at the end.",
        {},
        {},
    ),
    "warmup": Ablation(
        "no warm-up",
        "The first steps go at the full rate, when Adam has hardly seen a gradient. Three layers "
        "deep, at a rate of 0.01, most runs learn what dates look like and get few of them right, "
        "and no two seeds do alike; with a warm-up of 100 steps all come right. One layer "
        "forgives it.",
        {"warmup": 0, "peak_learning_rate": 1e-2, "encoder_layers": 3, "decoder_layers": 3},
        {},
    ),
    "scale": Ablation(
        "no scale",
        "Scores are not divided by √d_k, so the softmax of a wide head is at its ends from the "
        "start and lets hardly any gradient through: in trials from none to three dates in ten "
        "came out right, with the scale all do. Heads of width 8 hardly notice.",
        {"d_model": 64, "heads": 1, "steps": 400},
        {"attention_scale": "none"},
    ),
    "positions": Ablation(
        "no positions",
        "The encoder sees a bag of digits: it cannot tell the day from the month, nor 1924 from "
        "1942. About half of the letters come out right, and one date in a hundred.",
        {},
        {"positions": "none"},
    ),
    "residual": Ablation(
        "no residual",
        "Without the x + around every sublayer three layers pass hardly anything on: it learns "
        "how common each letter is, and writes one of them over and over. No date comes out "
        "right; with one layer each, it still learns.",
        {"encoder_layers": 3, "decoder_layers": 3},
        {"residual": False},
    ),
}

SCHEDULES = {"linear": "up and down", "noam": "the paper's", "constant": "constant"}
WHOLE: dict[str, tuple[int, int]] = {
    "d_model": (4, 64),
    "heads": (1, 8),
    "encoder_layers": (1, 3),
    "decoder_layers": (1, 3),
    "steps": (1, 5000),
    "warmup": (0, 5000),
    "batch": (1, 256),
    "seed": (0, 2**31 - 1),
}
NUMBERS: dict[str, tuple[float, float]] = {
    "peak_learning_rate": (1e-5, 1.0),
    "smoothing": (0.0, 0.5),
    "clip": (0.0, 100.0),
    "dropout": (0.0, 0.9),
}
# Of the scores and of what flows through the layers, in one step: some 400 MB with gradients.
MAX_NUMBERS = 30_000_000
LABELS = {
    "encoder_layers": "encoder layers",
    "decoder_layers": "decoder layers",
    "peak_learning_rate": "peak learning rate",
    "warmup": "warm-up steps",
    "smoothing": "label smoothing",
    "clip": "clip the gradient at",
    "batch": "pairs in a batch",
}


@dataclass(frozen=True, slots=True)
class LearnSettings:
    """Every choice of a run but its pairs; the defaults learn the dates in some 600 steps.

    Raises:
        ValueError: a setting is out of range or does not fit another; one sentence.
    """

    d_model: int = 32
    heads: int = 4
    encoder_layers: int = 1
    decoder_layers: int = 1
    steps: int = 600
    peak_learning_rate: float = 3e-3
    warmup: int = 100
    schedule: str = "linear"
    smoothing: float = 0.1
    clip: float = 1.0  # 0 leaves the gradient as it is
    dropout: float = 0.0
    batch: int = 128
    seed: int = 0
    ablation: str = ""

    def __post_init__(self) -> None:
        for name, (low, high) in WHOLE.items():
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
                raise ValueError(f"{label(name)} is a whole number from {low:,} to {high:,}.")
        for name, limits in NUMBERS.items():
            value = getattr(self, name)
            if not isinstance(value, (int, float)) or not limits[0] <= value <= limits[1]:
                raise ValueError(f"{label(name)} is a number from {limits[0]:g} to {limits[1]:g}.")
        if self.schedule not in SCHEDULES:
            raise ValueError(f"The schedule is one of {', '.join(SCHEDULES)}.")
        if self.ablation not in ABLATIONS:
            raise ValueError("There is no such piece to take out.")
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

    def changed(self, name: str, raw: Any) -> LearnSettings:
        """The settings with one of them replaced; ``raw`` may be the text that was typed.

        A piece that is taken out brings settings with it, and takes them away again when it is
        put back. Heads and d_model are kept together: the one that was not typed gives way.

        Raises:
            ValueError: one sentence that names the limit.
        """
        if name == "ablation":
            return self._with_ablation(str(raw))
        if name == "schedule":
            return dataclasses.replace(self, schedule=str(raw))
        if name == "heads":
            heads = _whole(name, raw)
            step = math.lcm(2, heads)
            d_model = min(-(-self.d_model // step) * step, WHOLE["d_model"][1] // step * step)
            return dataclasses.replace(self, heads=heads, d_model=d_model)
        if name in WHOLE:
            return self._replaced(name, _whole(name, raw))
        if name in NUMBERS:
            return self._replaced(name, _number(name, raw))
        raise ValueError(f"There is no setting called {name[:40]}.")

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
    def from_recipe(cls, config: Config, recipe: Recipe, pairs: Pairs) -> LearnSettings:
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
        # A piece that changes the recipe alone is known by the settings that came with it.
        for ablation in [*filter(None, ABLATIONS), ""]:
            piece, candidate = ABLATIONS[ablation], cls(**common, ablation=ablation)
            as_set = all(common[name] == value for name, value in piece.settings.items())
            if candidate.config(pairs) == config and (piece.config or as_set):
                return candidate
        raise ValueError("This run was made with settings that this page does not have.")

    def _replaced(self, name: str, value: Any) -> LearnSettings:
        return dataclasses.replace(self, **{name: value})

    def _with_ablation(self, name: str) -> LearnSettings:
        if name not in ABLATIONS:
            raise ValueError("There is no such piece to take out.")
        changed = ABLATIONS[self.ablation].settings
        restored = {setting: getattr(_DEFAULTS, setting) for setting in changed}
        return dataclasses.replace(
            self, **{**restored, **ABLATIONS[name].settings, "ablation": name}
        )


_DEFAULTS = LearnSettings()


def label(name: str) -> str:
    """How a setting is called on the page."""
    return LABELS.get(name, name)


def _whole(name: str, raw: Any) -> int:
    low, high = WHOLE[name]
    text = str(raw).strip().replace(",", "")
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 12 else None
    if number is None or not low <= number <= high:
        raise ValueError(f"{label(name)} is a whole number from {low:,} to {high:,}.")
    return number


def _number(name: str, raw: Any) -> float:
    low, high = NUMBERS[name]
    try:
        number = float(str(raw).strip().replace(",", "."))
    except ValueError:
        number = math.nan
    if not low <= number <= high:
        raise ValueError(f"{label(name)} is a number from {low:g} to {high:g}.")
    return number
