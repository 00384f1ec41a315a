"""What can be set of the model, with its limits, in one place."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

from transformer_math import Config, DropoutRates
from transformer_math.config import CHOICES

MAX_SEED = 2**31 - 1

# Dropout sites, in the order in which a pass meets them, as a student reads them.
SITES = {
    "embedding": "embeddings + positions",
    "attention_weights": "attention weights",
    "attention_output": "attention output",
    "activation": "after the activation",
    "feed_forward_output": "feed-forward output",
}

PAPER_SITES = ("embedding", "attention_output", "feed_forward_output")

DROPOUT_PRESETS = {
    "paper": DropoutRates.paper,
    "seed": DropoutRates.seed,
    "torch": DropoutRates.torch,
}


@dataclass(frozen=True, slots=True)
class Settings:
    """The user's choices for the model. None means the paper's default for that width."""

    d_model: int = 8
    heads: int = 2
    encoder_layers: int = 1
    decoder_layers: int = 1
    d_ff: int | None = None
    d_k: int | None = None
    d_v: int | None = None
    activation: str = "relu"
    norm: str = "post"
    final_norm: bool | None = None
    residual: bool = True
    positions: str = "sinusoidal"
    embedding_scale: bool = True
    attention_scale: str = "d_k"
    attention_bias: bool = False
    feed_forward_bias: bool = True
    output_bias: bool = False
    tie_output: bool = False
    dropout: DropoutRates = dataclasses.field(default_factory=lambda: DropoutRates.paper(0.1))
    label_smoothing: float = 0.0
    seed: int = 1

    @property
    def d_model_step(self) -> int:
        """d_model grows by even steps that every head can share: the least common multiple."""
        return math.lcm(2, self.heads)

    def config(self, source_vocabulary: int, target_vocabulary: int, **others: Any) -> Config:
        """The mathematics' configuration for vocabularies of these sizes."""
        fields: dict[str, Any] = {
            name: getattr(self, name)
            for name in self.__dataclass_fields__  # the choices are named as the config's are
            if name not in BESIDE_CONFIG
        }
        return Config(
            **fields,
            source_vocabulary=source_vocabulary,
            target_vocabulary=target_vocabulary,
            **others,
        )

    @classmethod
    def of_config(cls, config: Config, seed: int = 1) -> Settings:
        """The settings of a model that is looked at as it is, whatever its size."""
        own = {n: getattr(config, n) for n in cls.__dataclass_fields__ if n not in BESIDE_CONFIG}
        # Said outright, so that the norm can be moved without adding one or taking one away.
        return cls(**{**own, "final_norm": config.has_final_norm, "seed": seed})

    def changed(self, name: str, raw: Any) -> Settings:
        """The settings with one of them replaced; ``raw`` may be the text that was typed.

        Raises:
            ValueError: one sentence that names the limit.
        """
        if name == "dropout_preset":
            return dataclasses.replace(self, dropout=DROPOUT_PRESETS[raw](self._common_rate()))
        if name.startswith("dropout_"):
            return self._with_rate(name.removeprefix("dropout_"), raw)
        if name == "label_smoothing":
            return self._replaced(name, _rate(label(name), raw))
        if name in CHOICES:
            if raw not in CHOICES[name]:
                raise ValueError(f"{label(name)} is one of {', '.join(CHOICES[name])}.")
            return self._replaced(name, raw)
        if name in SWITCHES:
            return self._replaced(name, bool(raw))
        if name not in LIMITS:
            raise ValueError(f"There is no setting called {name}.")
        number = self._whole(name, raw)
        if name == "heads" and number is not None:
            return self._with_heads(number)
        return self._replaced(name, number)

    def _replaced(self, name: str, value: Any) -> Settings:
        return dataclasses.replace(self, **{name: value})

    def _whole(self, name: str, raw: Any) -> int | None:
        low, high = LIMITS[name]
        text = str(raw).strip()
        if not text and name in ("d_ff", "d_k", "d_v"):
            return None  # emptied: back to the paper's default
        step, why = 1, ""
        if name == "d_model":
            step = low = self.d_model_step
            high -= high % step
            shared = f", so that {self.heads} heads share it evenly" if self.heads > 2 else ""
            why = f" in steps of {step}{shared}"
        number = int(text) if text.removeprefix("-").isdecimal() else None
        if number is None or not low <= number <= high or number % step:
            raise ValueError(f"{label(name)} is a whole number from {low} to {high}{why}.")
        return number

    def _with_heads(self, heads: int) -> Settings:
        """As many heads, and d_model moved up to the next size that they can share."""
        step = math.lcm(2, heads)
        d_model = min(-(-self.d_model // step) * step, LIMITS["d_model"][1] // step * step)
        return dataclasses.replace(self, heads=heads, d_model=d_model)

    def _with_rate(self, site: str, raw: Any) -> Settings:
        rate = _rate("A dropout rate", raw)
        if site == "rate":  # one rate for all the sites in use
            used = [s for s in SITES if getattr(self.dropout, s)] or list(PAPER_SITES)
            return dataclasses.replace(self, dropout=DropoutRates(**dict.fromkeys(used, rate)))
        if site not in SITES:
            raise ValueError(f"There is no dropout site called {site}.")
        return dataclasses.replace(self, dropout=dataclasses.replace(self.dropout, **{site: rate}))

    def _common_rate(self) -> float:
        return max(getattr(self.dropout, site) for site in SITES) or 0.1

    @property
    def dropout_preset(self) -> str:
        """The preset that the rates are those of, or ``own``."""
        for name, preset in DROPOUT_PRESETS.items():
            if self.dropout == preset(self._common_rate()):
                return name
        return "own"


LIMITS: dict[str, tuple[int, int]] = {
    "d_model": (2, 64),
    "heads": (1, 8),
    "encoder_layers": (0, 6),
    "decoder_layers": (0, 6),
    "d_ff": (1, 256),
    "d_k": (1, 64),
    "d_v": (1, 64),
    "seed": (0, MAX_SEED),
    "tokens": (1, 64),
    "token_length": (0, 24),
}
RATE_LIMITS = (0.0, 0.9)
# What the mathematics' configuration does not have: it is of the pass, not of the model.
BESIDE_CONFIG = ("seed", "label_smoothing")
VALUE_LIMIT = 1000.0
# What a parameter's shape depends on, or which parameters there are.
SIZES = (
    "d_model",
    "heads",
    "encoder_layers",
    "decoder_layers",
    "d_ff",
    "d_k",
    "d_v",
    "final_norm",
    "attention_bias",
    "feed_forward_bias",
    "output_bias",
    "tie_output",
)
SWITCHES = (
    "final_norm",
    "residual",
    "embedding_scale",
    "attention_bias",
    "feed_forward_bias",
    "output_bias",
    "tie_output",
)

LABELS = {
    "encoder_layers": "layers, encoder",
    "decoder_layers": "layers, decoder",
    "norm": "layer norm",
    "final_norm": "norm after each stack",
    "residual": "residual connections",
    "embedding_scale": "embeddings × √d_model",
    "attention_scale": "scores divided by",
    "attention_bias": "biases in attention",
    "feed_forward_bias": "biases in feed-forward",
    "output_bias": "bias of the output",
    "tie_output": "output weights = embeddings",
    "label_smoothing": "label smoothing",
}


def label(name: str) -> str:
    """How a setting is called on the page."""
    return LABELS.get(name, name)


def _rate(what: str, raw: Any) -> float:
    """A share out of what was typed."""
    low, high = RATE_LIMITS
    try:
        rate = float(str(raw).strip().replace(",", "."))
    except ValueError:
        rate = math.nan
    if not low <= rate <= high:
        raise ValueError(f"{what} is a number from {low:g} to {high:g}.")
    return rate


def settings_from(raw: dict[str, Any], default: Settings | None = None) -> Settings:
    """Settings out of plain data; what is not named stays as in ``default``.

    Raises:
        ValueError: one sentence on the first setting that is wrong.
    """
    values: dict[str, Any] = {}
    for name, value in raw.items():
        if name == "dropout":
            values[name] = _rates_from(value)
        elif name == "label_smoothing":
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                raise ValueError(f"{label(name)} is a number.")
            values[name] = _rate(label(name), value)
        elif name in CHOICES and name != "dtype":
            if value not in CHOICES[name]:
                raise ValueError(f"{label(name)} is one of {', '.join(CHOICES[name])}.")
            values[name] = value
        elif name in SWITCHES:
            if not isinstance(value, bool) and not (name == "final_norm" and value is None):
                raise ValueError(f"{label(name)} is either on or off.")
            values[name] = value
        elif name in LIMITS and name in Settings.__dataclass_fields__:
            low, high = LIMITS[name]
            optional = value is None and name in ("d_ff", "d_k", "d_v")
            is_whole = isinstance(value, int) and not isinstance(value, bool)
            if not optional and not (is_whole and low <= value <= high):
                raise ValueError(f"{label(name)} is a whole number from {low} to {high}.")
            values[name] = value
        else:
            raise ValueError(f"There is no setting called “{name[:40]}”.")
    settings = dataclasses.replace(default or Settings(), **values)
    if settings.d_model % settings.d_model_step:
        raise ValueError(f"d_model is a multiple of {settings.d_model_step} here.")
    return settings


def _rates_from(raw: Any) -> DropoutRates:
    low, high = RATE_LIMITS
    if not isinstance(raw, dict) or not set(raw) <= set(SITES):
        raise ValueError("dropout is a rate for each site.")
    for rate in raw.values():
        is_number = isinstance(rate, (int, float)) and not isinstance(rate, bool)
        if not is_number or not low <= rate <= high:
            raise ValueError(f"A dropout rate is a number from {low:g} to {high:g}.")
    return DropoutRates(**raw)
