"""The model's settings: one frozen dataclass that validates itself (Sections 3, 5.4, Table 3)."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from transformer_math.arguments import checked, checked_settings
from transformer_math.checks import (
    check_above,
    check_choice,
    check_fraction,
    check_whole,
    make_plain,
)
from transformer_math.suggestions import aliases_for, check_names

Activation = Literal["relu", "gelu", "gelu_tanh", "silu", "tanh", "identity"]
Norm = Literal["post", "pre"]
NormDeviation = Literal["population", "sample"]
Positions = Literal["sinusoidal", "sinusoidal_halves", "learned", "none"]
AttentionScale = Literal["d_k", "d_model", "none"]

CHOICES: dict[str, tuple[str, ...]] = {
    "activation": ("relu", "gelu", "gelu_tanh", "silu", "tanh", "identity"),
    "norm": ("post", "pre"),
    "norm_deviation": ("population", "sample"),
    "positions": ("sinusoidal", "sinusoidal_halves", "learned", "none"),
    "attention_scale": ("d_k", "d_model", "none"),
    "dtype": ("float32", "float64"),
}
# The lowest and the highest value of each whole number; None for no upper limit.
BOUNDS: dict[str, tuple[int, int | None]] = {
    "d_model": (1, None),
    "heads": (1, None),
    "source_vocabulary": (1, None),
    "target_vocabulary": (1, None),
    "max_positions": (1, None),
    "encoder_layers": (0, None),
    "decoder_layers": (0, None),
    "d_ff": (1, None),
    "d_k": (1, None),
    "d_v": (1, None),
}
FROM_OTHERS = ("d_ff", "d_k", "d_v")  # None for the paper's value, which other settings determine
SWITCHES = (
    *("residual", "causal_mask", "embedding_scale", "attention_bias", "feed_forward_bias"),
    *("output_bias", "tie_output", "share_embeddings", "embedding_norm", "output_transform"),
)
# Settings that version 0.1 did not have, and their defaults.
LATER = {
    "causal_mask": True,
    "embedding_norm": False,
    "output_transform": False,
    "norm_deviation": "population",
}


@checked_settings("Dropout rates")
@dataclass(frozen=True, slots=True)
class DropoutRates:
    """The probability of dropping a cell, at each of five sites.

    Raises:
        ValueError: a rate is not in [0, 1).
    """

    embedding: float = 0.0  # the sum of embeddings and positions (Section 5.4)
    attention_weights: float = 0.0  # after the softmax (torch has it, the paper does not)
    attention_output: float = 0.0  # the attention sublayer's output (Section 5.4)
    activation: float = 0.0  # after the activation of the feed-forward network
    feed_forward_output: float = 0.0  # the feed-forward sublayer's output (Section 5.4)

    def __post_init__(self) -> None:
        make_plain(self)
        for site, rate in dataclasses.asdict(self).items():
            check_fraction(f"The dropout rate {site}", rate)

    @classmethod
    def paper(cls, rate: float = 0.1) -> DropoutRates:
        """Use the sites of Section 5.4: embeddings plus positions, and every sublayer's output."""
        return cls(embedding=rate, attention_output=rate, feed_forward_output=rate)

    @classmethod
    def after_activation(cls, rate: float = 0.1) -> DropoutRates:
        """Use the sites of ``paper``, but the activation instead of the feed-forward output."""
        return cls(embedding=rate, attention_output=rate, activation=rate)

    @classmethod
    def torch(cls, rate: float = 0.1) -> DropoutRates:
        """Use all sites inside ``torch.nn.Transformer``, which has no embeddings."""
        return cls(
            attention_weights=rate, attention_output=rate, activation=rate, feed_forward_output=rate
        )


@checked_settings("A config", aliases_for)
@dataclass(frozen=True, slots=True)
class Config:
    """The settings of a model.

    ``encoder_layers=0`` gives a decoder-only model, which reads the target alone (GPT).
    ``decoder_layers=0`` gives an encoder-only model, whose output layer reads the encoder and
    predicts source tokens (BERT). ``kind`` is the name of the kind. Settings left at None have the
    paper's value: ``d_ff = 4 * d_model`` and ``d_k = d_v = d_model / heads``. Unless ``final_norm``
    is set, each stack ends with a norm if ``norm`` is ``"pre"``.

    Attributes:
        d_model: the width of the residual stream.
        heads: the number of heads of each attention.
        d_ff: the width of the feed-forward networks.
        encoder_layers: how many layers the encoder has; 0 leaves it out.
        decoder_layers: how many layers the decoder has; 0 leaves it out.
        source_vocabulary: the number of tokens of the source.
        target_vocabulary: the number of tokens of the target.
        d_k: the width of a head's queries and keys.
        d_v: the width of a head's values.
        activation: the activation of the feed-forward networks: ``relu``, ``gelu``, ``gelu_tanh``,
            ``silu``, ``tanh`` or ``identity``.
        norm: the layer norm's place: ``post``, after each sublayer, or ``pre``, before it.
        final_norm: whether each stack ends with another norm.
        norm_deviation: what a layer norm divides a row by: ``population``, √(σ² + ε) with the
            variance over d_model; or ``sample``, s + ε with the variance over d_model − 1, as in
            the Annotated Transformer.
        residual: False leaves out the ``x +`` of every sublayer, to show what it does.
        causal_mask: False lets the decoder see later positions (Section 3.2.3), so that training
            learns to copy them.
        positions: ``sinusoidal``, ``sinusoidal_halves`` (all sines before all cosines), ``learned``
            or ``none``.
        max_positions: rows of the learned table; sinusoidal positions have no maximum.
        embedding_scale: whether embeddings are multiplied by √d_model (Section 3.4).
        embedding_norm: whether a layer norm follows embeddings plus positions, as in BERT.
        attention_scale: the number whose square root divides the scores: ``d_k`` or ``d_model``; or
            ``none``.
        attention_bias: whether the projections of attention have biases.
        feed_forward_bias: whether the feed-forward networks have biases.
        output_bias: whether the output layer has a bias.
        output_transform: whether a linear map, the activation and a layer norm come before the
            output layer, as in BERT.
        tie_output: whether the output weights are the embedding table (Section 3.4).
        share_embeddings: whether source and target have one table (Section 3.4).
        dropout: the rate of each site.
        epsilon: what the layer norm adds to the variance or, if ``norm_deviation`` is
            ``sample``, to the deviation.
        dtype: ``float32`` or ``float64``.
        source_pad: the id of the source's padding; None without one.
        target_pad: the id of the target's.

    Raises:
        ValueError: a setting is out of range or does not fit another; the message is one
            sentence that names the setting and its limit.
    """

    d_model: int = 512
    heads: int = 8
    d_ff: int | None = None
    encoder_layers: int = 6
    decoder_layers: int = 6
    source_vocabulary: int = 37_000
    target_vocabulary: int = 37_000
    d_k: int | None = None
    d_v: int | None = None
    activation: Activation = "relu"
    norm: Norm = "post"
    final_norm: bool | None = None
    residual: bool = True
    causal_mask: bool = True
    positions: Positions = "sinusoidal"
    max_positions: int = 512
    embedding_scale: bool = True
    embedding_norm: bool = False
    attention_scale: AttentionScale = "d_k"
    attention_bias: bool = False
    feed_forward_bias: bool = True
    output_bias: bool = False
    output_transform: bool = False
    tie_output: bool = False
    share_embeddings: bool = False
    dropout: DropoutRates = field(default_factory=DropoutRates)
    epsilon: float = 1e-5
    dtype: str = "float32"
    source_pad: int | None = None
    target_pad: int | None = None
    norm_deviation: NormDeviation = "population"

    def __post_init__(self) -> None:
        make_plain(self)
        self._check_kinds()
        self._check_sizes()
        for side in ("source", "target"):
            pad, size = getattr(self, f"{side}_pad"), getattr(self, f"{side}_vocabulary")
            if pad is not None:
                check_whole(f"{side}_pad", pad, 0, size - 1)
        if self.share_embeddings and self.source_vocabulary != self.target_vocabulary:
            raise ValueError(
                "Sharing the embeddings needs source and target vocabularies of one size, "
                f"not {self.source_vocabulary} and {self.target_vocabulary}."
            )

    def _check_kinds(self) -> None:
        for name, choices in CHOICES.items():
            check_choice(name, getattr(self, name), choices)
        for name in SWITCHES:
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name} is True or False, not {getattr(self, name)!r}.")
        if not isinstance(self.final_norm, bool | None):
            raise ValueError(f"final_norm is True, False or None, not {self.final_norm!r}.")
        check_above("epsilon", self.epsilon, 0)

    def _check_sizes(self) -> None:
        for name, (low, high) in BOUNDS.items():
            value = getattr(self, name)
            if value is not None or name not in FROM_OTHERS:
                check_whole(name, value, low, high)
        if self.encoder_layers + self.decoder_layers == 0:
            raise ValueError("A model has at least one encoder layer or one decoder layer.")
        if self.norm_deviation == "sample" and self.d_model == 1:
            raise ValueError("The sample's deviation of a row needs a d_model from 2.")
        if (self.d_k is None or self.d_v is None) and self.d_model % self.heads:
            raise ValueError(
                f"d_model ({self.d_model}) has to be a multiple of heads ({self.heads})"
                f"{'' if self.d_k is self.d_v is None else ' unless d_k and d_v are both set'}."
            )

    # -- derived settings --------------------------------------------------------------------

    @property
    def feed_forward_width(self) -> int:
        """d_ff, which defaults to 4 * d_model (Section 3.3)."""
        return 4 * self.d_model if self.d_ff is None else self.d_ff

    @property
    def key_width(self) -> int:
        """d_k, which defaults to d_model / heads (Section 3.2.2)."""
        return self.d_model // self.heads if self.d_k is None else self.d_k

    @property
    def value_width(self) -> int:
        """d_v, which defaults to d_model / heads (Section 3.2.2)."""
        return self.d_model // self.heads if self.d_v is None else self.d_v

    @property
    def has_final_norm(self) -> bool:
        """Whether each stack ends with another layer norm, which pre-norm needs."""
        return self.norm == "pre" if self.final_norm is None else self.final_norm

    @property
    def kind(self) -> Literal["encoder-decoder", "encoder-only", "decoder-only"]:
        """The kind of model, by the stacks that it has."""
        if not self.decoder_layers:
            return "encoder-only"
        return "encoder-decoder" if self.encoder_layers else "decoder-only"

    @property
    def output_vocabulary(self) -> int:
        """The size of the vocabulary that the model predicts."""
        return self.target_vocabulary if self.decoder_layers else self.source_vocabulary

    @property
    def output_pad(self) -> int | None:
        """The padding token of the vocabulary that the model predicts; None without one."""
        return self.target_pad if self.decoder_layers else self.source_pad

    # -- plain data --------------------------------------------------------------------------

    def as_dict(self) -> dict[str, Any]:
        """Return name -> setting, as plain data for ``from_dict``.

        Settings that version 0.1 did not have are included only if they are not at their default,
        so that version 0.1 can still open the files of all other models.
        """
        data = dataclasses.asdict(self)
        return {name: value for name, value in data.items() if LATER.get(name, ...) != value}

    @classmethod
    @checked()
    def from_dict(cls, data: Mapping[str, Any]) -> Config:
        """Return the config of ``as_dict``; missing settings have their defaults.

        Raises:
            ValueError: there is no such setting, or a setting is out of range.
        """
        fields = {field.name for field in dataclasses.fields(cls)}
        check_names("A config", sorted(data), fields, aliases_for(data))
        settings = dict(data)
        if "dropout" in settings:
            try:
                settings["dropout"] = DropoutRates(**settings["dropout"])
            except TypeError:
                raise ValueError("dropout is a rate for each of its five sites.") from None
        return cls(**settings)

    # -- presets -----------------------------------------------------------------------------

    @classmethod
    def preset(cls, name: str, **changes: Any) -> Config:
        """Return a named configuration, with changes.

        Args:
            name: ``paper-base``, ``paper-big``, ``sandbox``, ``dates``, ``phrases``,
                ``next-word``, ``blanks``, ``gpt2`` or ``bert-base``.
            changes: settings that replace those of the preset.

        Raises:
            ValueError: no such preset, or a setting is out of range.
        """
        check_choice("name", name, tuple(PRESETS))
        return cls(**{**PRESETS[name], **changes})

    # -- parameters --------------------------------------------------------------------------

    def parameter_shapes(self) -> dict[str, tuple[int, ...]]:
        """Return path -> shape of every parameter, in the order of the forward pass."""
        return dict(_parameter_shapes(self))

    def parameter_count(self) -> int:
        """Return the number of learned numbers; tied and shared tables count once."""
        return _parameter_count(self)

    def _parameters(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        shares = self.share_embeddings and self.encoder_layers > 0
        if self.encoder_layers:
            yield from self._tables("source", self.source_vocabulary)
        if self.decoder_layers:
            yield from self._tables("target", None if shares else self.target_vocabulary)
        for stack, layers in (("encoder", self.encoder_layers), ("decoder", self.decoder_layers)):
            for n in range(layers):
                yield from self._attention(f"{stack}.{n}.self_attn.")
                if stack == "decoder" and self.encoder_layers:
                    yield from self._attention(f"{stack}.{n}.cross_attn.")
                yield from self._feed_forward(f"{stack}.{n}.feed_forward.")
            if layers and self.has_final_norm:
                yield from _norm(f"{stack}.final.", self.d_model)
        if self.output_transform:
            yield "output.W_t", (self.d_model, self.d_model)
            yield "output.b_t", (self.d_model,)
            yield from _norm("output.", self.d_model)
        if not self.tie_output:
            yield "output.W_out", (self.d_model, self.output_vocabulary)
        if self.output_bias:
            yield "output.b_out", (self.output_vocabulary,)

    def _tables(self, side: str, vocabulary: int | None) -> Iterator[tuple[str, tuple[int, ...]]]:
        if vocabulary is not None:
            yield f"{side}.W_e", (vocabulary, self.d_model)
        if self.positions == "learned":
            yield f"{side}.W_p", (self.max_positions, self.d_model)
        if self.embedding_norm:
            yield from _norm(f"{side}.", self.d_model)

    def _feed_forward(self, prefix: str) -> Iterator[tuple[str, tuple[int, ...]]]:
        d, f = self.d_model, self.feed_forward_width
        yield prefix + "W_1", (d, f)
        if self.feed_forward_bias:
            yield prefix + "b_1", (f,)
        yield prefix + "W_2", (f, d)
        if self.feed_forward_bias:
            yield prefix + "b_2", (d,)
        yield from _norm(prefix, d)

    def _attention(self, prefix: str) -> Iterator[tuple[str, tuple[int, ...]]]:
        widths = {"q": self.key_width, "k": self.key_width, "v": self.value_width}
        for name, width in widths.items():
            yield f"{prefix}W_{name}", (self.heads, self.d_model, width)
            if self.attention_bias:
                yield f"{prefix}b_{name}", (self.heads, width)
        yield prefix + "W_o", (self.heads * self.value_width, self.d_model)
        if self.attention_bias:
            yield prefix + "b_o", (self.d_model,)
        yield from _norm(prefix, self.d_model)


@functools.lru_cache(64)
def _parameter_shapes(config: Config) -> dict[str, tuple[int, ...]]:
    return dict(config._parameters())


@functools.lru_cache(64)
def _parameter_count(config: Config) -> int:
    return sum(math.prod(shape) for shape in _parameter_shapes(config).values())


def _norm(prefix: str, d_model: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    yield prefix + "gamma", (d_model,)
    yield prefix + "beta", (d_model,)


# With one table of 37,000 tokens for source, target and output, the base model has 63.1 million
# parameters, the big model 214.2 million; the paper's Table 3 has 65 and 213. As in its formulas,
# the projections of attention have no biases, the feed-forward network (equation 2) has biases.
PRESETS: dict[str, dict[str, Any]] = {
    "paper-base": {
        "output_bias": True,
        "tie_output": True,
        "share_embeddings": True,
        "dropout": DropoutRates.paper(0.1),
    },
    "paper-big": {
        "d_model": 1024,
        "heads": 16,
        "output_bias": True,
        "tie_output": True,
        "share_embeddings": True,
        "dropout": DropoutRates.paper(0.3),
    },
    "sandbox": {
        "d_model": 8,
        "heads": 2,
        "encoder_layers": 1,
        "decoder_layers": 1,
        "source_vocabulary": 16,
        "target_vocabulary": 16,
        "dropout": DropoutRates.paper(0.1),
    },
    "dates": {
        "d_model": 32,
        "heads": 4,
        "encoder_layers": 1,
        "decoder_layers": 1,
        "source_vocabulary": 68,
        "target_vocabulary": 68,
        "source_pad": 67,
        "target_pad": 67,
    },
    "phrases": {
        "d_model": 8,
        "heads": 2,
        "d_ff": 16,
        "encoder_layers": 1,
        "decoder_layers": 1,
        "source_vocabulary": 25,
        "target_vocabulary": 33,
        "source_pad": 24,
        "target_pad": 32,
    },
    # Models with one stack: one predicts the next word of a phrase, one fills blanks in a phrase.
    "next-word": {
        "d_model": 8,
        "heads": 2,
        "d_ff": 16,
        "encoder_layers": 0,
        "decoder_layers": 1,
        "source_vocabulary": 25,
        "target_vocabulary": 25,
        "source_pad": 24,
        "target_pad": 24,
    },
    "blanks": {
        "d_model": 8,
        "heads": 2,
        "d_ff": 16,
        "encoder_layers": 2,
        "decoder_layers": 0,
        "source_vocabulary": 34,
        "target_vocabulary": 34,
        "source_pad": 33,
        "target_pad": 33,
    },
    # The smallest GPT-2 (Radford et al., 2019) and BERT's base (Devlin et al., 2018).
    "gpt2": {
        "d_model": 768,
        "heads": 12,
        "encoder_layers": 0,
        "decoder_layers": 12,
        "source_vocabulary": 50_257,
        "target_vocabulary": 50_257,
        "activation": "gelu_tanh",
        "norm": "pre",
        "positions": "learned",
        "max_positions": 1024,
        "embedding_scale": False,
        "attention_bias": True,
        "tie_output": True,
        "dropout": DropoutRates(0.1, 0.1, 0.1, 0.0, 0.1),
    },
    "bert-base": {
        "d_model": 768,
        "heads": 12,
        "encoder_layers": 12,
        "decoder_layers": 0,
        "source_vocabulary": 30_522,
        "target_vocabulary": 30_522,
        "source_pad": 0,
        "activation": "gelu",
        "positions": "learned",
        "embedding_scale": False,
        "embedding_norm": True,
        "attention_bias": True,
        "output_bias": True,
        "output_transform": True,
        "tie_output": True,
        "dropout": DropoutRates(0.1, 0.1, 0.1, 0.0, 0.1),
        "epsilon": 1e-12,
    },
}
