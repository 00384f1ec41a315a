"""The user's settings for the model."""

import dataclasses
import math
from collections.abc import Callable
from typing import Any, NamedTuple, Self

import param

from transformer_math import Config, DropoutRates
from transformer_math.checks import MAX_SEED
from transformer_math.config import BOUNDS
from transformer_math.ops.activation import ACTIVATION_FUNCTIONS

from .settings import Field, Limits, Settings

RATE_LIMITS = (0.0, 0.9)


class DropoutPreset(NamedTuple):
    """A named set of dropout sites: their rates, a label, and a sentence that describes them."""

    rates: Callable[[float], DropoutRates]
    label: str
    words: str


DROPOUT_PRESETS = {
    "paper": DropoutPreset(
        DropoutRates.paper,
        "the paper",
        "The paper (Section 5.4): after the embeddings and positions are added, and on the output "
        "of every sublayer, of attention and of the feed-forward network.",
    ),
    "after_activation": DropoutPreset(
        DropoutRates.after_activation,
        "inside the feed-forward network",
        "Variant: after the embeddings and positions are added, on the attention output, and "
        "after ReLU, inside the feed-forward network instead of on its output.",
    ),
    "torch": DropoutPreset(
        DropoutRates.torch,
        "PyTorch",
        "torch.nn.Transformer: on the attention weights, on the attention output, after the "
        "activation, and on the feed-forward output; it holds no embeddings.",
    ),
}
COMMON = "rate at all sites"
OWN_SITES = "Your own rates. A preset sets all of its sites to the largest of them."


def rate(default: float, label: str, doc: str = "") -> param.Number:
    """Return a parameter within ``RATE_LIMITS``, for dropout and label smoothing."""
    return param.Number(default=default, bounds=RATE_LIMITS, step=0.1, label=label, doc=doc)


class DropoutSettings(Settings):
    """The dropout rate at each site, in the order of the forward pass."""

    embedding = rate(0.1, "embeddings + positions")
    attention_weights = rate(0.0, "attention weights")
    attention_output = rate(0.1, "attention output")
    activation = rate(0.0, "after the activation")
    feed_forward_output = rate(0.1, "feed-forward output")

    @classmethod
    def of(cls, rates: DropoutRates) -> Self:
        """Return the settings with these rates."""
        return cls(**dataclasses.asdict(rates))

    @property
    def rates(self) -> DropoutRates:
        """The rates as ``transformer_math`` takes them."""
        return DropoutRates(**self.values())

    @property
    def preset(self) -> str:
        """The name of the preset that these rates match, or ``own``."""
        for name, preset in DROPOUT_PRESETS.items():
            if self.rates == preset.rates(self.common_rate):
                return name
        return "own"

    @property
    def common_rate(self) -> float:
        """The largest rate, which a preset applies to all of its sites; 0.1 if all are 0."""
        return max(self.values().values()) or 0.1

    def changed(self, name: str, raw: Any) -> Self:
        """Replace one rate, the rate of all sites (``common``), or the sites (``preset``)."""
        if name == "common":
            return self._at(self.parsed("embedding", raw))
        if name != "preset":
            return super().changed(name, raw)
        if not isinstance(raw, str) or raw not in DROPOUT_PRESETS:
            raise ValueError(f"sites is one of {', '.join(DROPOUT_PRESETS)}.")
        return self.of(DROPOUT_PRESETS[raw].rates(self.common_rate))

    def _at(self, rate: float) -> Self:
        """Return settings with this rate at the present sites, or if none drops, at the paper's."""
        return self.replace(**dict.fromkeys(self.sites or DropoutSettings().sites, rate))

    @property
    def sites(self) -> list[str]:
        """The sites that drop cells."""
        return [name for name, rate in self.values().items() if rate]

    def from_dict(self, raw: object) -> Self:
        """Read rates from plain data; a site that is missing has rate 0."""
        nothing = self.replace(**dict.fromkeys(self.names(), 0.0))
        return super(DropoutSettings, nothing).from_dict(raw)

    def field(self, name: str) -> Field:
        """Return the form field of one rate, of the ``common`` rate, or of the ``preset``."""
        if name == "common":
            value = max(self.values().values())
            return {**super().field("embedding"), "name": name, "label": COMMON, "value": value}
        if name != "preset":
            return super().field(name)
        options = [[key, preset.label] for key, preset in DROPOUT_PRESETS.items()]
        return Field(
            name=name,
            kind="choice",
            label="sites",
            value=self.preset,
            options=options + ([["own", "your own"]] if self.preset == "own" else []),
            help="Which places drop cells in training mode.",
        )

    @property
    def words(self) -> str:
        """A sentence that names the sites that drop cells."""
        preset = DROPOUT_PRESETS.get(self.preset)
        return preset.words if preset else OWN_SITES


class ModelSettings(Settings):
    """The user's choices for the model; None means the paper's default.

    The ``bounds`` are those of ``Config``; the ``softbounds`` are the range that the page offers.
    """

    d_model = param.Integer(
        default=8, bounds=BOUNDS["d_model"], softbounds=(2, 64), label="d_model"
    )
    heads = param.Integer(default=2, bounds=BOUNDS["heads"], softbounds=(1, 8), label="heads")
    encoder_layers = param.Integer(
        default=1, bounds=BOUNDS["encoder_layers"], softbounds=(0, 6), label="layers, encoder"
    )
    decoder_layers = param.Integer(
        default=1, bounds=BOUNDS["decoder_layers"], softbounds=(0, 6), label="layers, decoder"
    )
    d_ff = param.Integer(
        default=None,
        allow_None=True,
        bounds=BOUNDS["d_ff"],
        softbounds=(1, 256),
        step=4,
        label="d_ff",
    )
    d_k = param.Integer(
        default=None, allow_None=True, bounds=BOUNDS["d_k"], softbounds=(1, 64), label="d_k"
    )
    d_v = param.Integer(
        default=None, allow_None=True, bounds=BOUNDS["d_v"], softbounds=(1, 64), label="d_v"
    )
    activation = param.Selector(
        default="relu",
        objects={kind.name: name for name, kind in ACTIVATION_FUNCTIONS.items()},
        label="activation",
    )
    norm = param.Selector(
        default="post",
        objects={"after (paper)": "post", "before": "pre"},
        label="layer norm",
        doc="After each sublayer as in the paper, or before it as in most models today.",
    )
    final_norm = param.Boolean(default=None, allow_None=True, label="norm after each stack")
    norm_deviation = param.Selector(
        default="population",
        objects={"√(σ² + ε)": "population", "s + ε": "sample"},
        label="layer norm divides by",
        doc="σ² is a mean over d_model numbers; s², as in the Annotated Transformer, one over "
        "d_model − 1.",
    )
    residual = param.Boolean(
        default=True,
        label="residual connections",
        doc="Off: no sublayer adds its input to its output. Train the model to see the effect.",
    )
    positions = param.Selector(
        default="sinusoidal",
        objects={
            "sine, cosine": "sinusoidal",
            "sines | cosines": "sinusoidal_halves",
            "learned": "learned",
            "none": "none",
        },
        label="positions",
    )
    embedding_scale = param.Boolean(default=True, label="embeddings × √d_model")
    embedding_norm = param.Boolean(
        default=False,
        label="norm of the embeddings",
        doc="On: a layer norm follows embeddings plus positions, as in BERT.",
    )
    causal_mask = param.Boolean(
        default=True,
        label="causal mask",
        doc="Off: the decoder also sees the words after the one that it predicts.",
    )
    attention_scale = param.Selector(
        default="d_k",
        objects={"√ key width": "d_k", "√ model width": "d_model", "no scale": "none"},
        label="scores divided by",
    )
    attention_bias = param.Boolean(default=False, label="biases in attention")
    feed_forward_bias = param.Boolean(default=True, label="biases in feed-forward")
    output_bias = param.Boolean(default=False, label="bias of the output")
    output_transform = param.Boolean(
        default=False,
        label="network before the output",
        doc="On: a linear map, the activation and a layer norm precede the output, as in BERT.",
    )
    tie_output = param.Boolean(default=False, label="output weights = embeddings")
    dropout = param.ClassSelector(
        class_=DropoutSettings, default=DropoutSettings(), label="dropout rates"
    )
    label_smoothing = rate(
        0.0,
        "label smoothing",
        "For the loss: with 0.1 the right word should get a probability of 0.9, and the other "
        "words share the rest.",
    )
    smoothing_form = param.Selector(
        default="paper",
        objects={"the other words": "paper", "all words (torch)": "torch"},
        label="smoothing goes to",
        doc="ε / (V − 1) for each of the other words; or, as in PyTorch, ε / V for every word, "
        "including the correct one.",
    )
    seed = param.Integer(
        default=1,
        bounds=(0, MAX_SEED),
        label="seed",
        doc="Each seed always gives the same random weights.",
    )

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        # Plain attributes: these are read often, and reading a parameter takes ten times longer.
        self.has_encoder: bool = self.encoder_layers > 0
        self.has_decoder: bool = self.decoder_layers > 0

    @property
    def d_model_step(self) -> int:
        """The step of d_model: the smallest even number that the number of heads divides."""
        return math.lcm(2, self.heads)

    def limits(self, name: str) -> Limits:
        """Return a setting's limits; those of d_model keep it divisible by the number of heads."""
        limits = self.declared_limits(name)
        if name != "d_model" or limits.high is None:
            return limits
        step, high = self.d_model_step, int(limits.high)
        shared = f", so that {self.heads} heads share it evenly" if self.heads > 2 else ""
        return Limits(step, high - high % step, step, f" in steps of {step}{shared}", step)

    def changed(self, name: str, raw: Any) -> Self:
        """Replace one setting; a new number of heads rounds d_model up to a size that fits."""
        new = super().changed(name, raw)
        if name == "heads":
            step, most = new.d_model_step, int(new.limits("d_model").high or 0)
            return new.replace(d_model=min(-(-self.d_model // step) * step, most))
        return new

    def config(self, source_vocabulary: int, target_vocabulary: int, **others: Any) -> Config:
        """Return the ``transformer_math`` configuration for vocabularies of these sizes."""
        fields = {name: x for name, x in self.values().items() if name not in BESIDE_CONFIG}
        return Config(
            **{**fields, "dropout": self.dropout.rates},
            source_vocabulary=source_vocabulary,
            target_vocabulary=target_vocabulary,
            **others,
        )

    @classmethod
    def of_config(cls, config: Config, seed: int = 1) -> Self:
        """Return settings that describe an existing model, even one beyond the form's limits."""
        own = {name: getattr(config, name) for name in cls.names() if name not in BESIDE_CONFIG}
        own["dropout"] = DropoutSettings.of(config.dropout)
        # Set explicitly, so that moving the layer norm neither adds nor removes the final norm.
        return cls(**{**own, "final_norm": config.has_final_norm, "seed": seed})


# Settings that ``Config`` lacks, because they belong to the pass rather than to the model.
BESIDE_CONFIG = ("seed", "label_smoothing", "smoothing_form")
# Settings that no logit depends on while dropout is off and the weights are given.
NOT_COMPUTED = (*BESIDE_CONFIG, "dropout")
# The settings that determine which parameters exist and their shapes.
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
    "embedding_norm",
    "output_transform",
)
