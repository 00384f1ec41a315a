"""The layers of encoder and decoder (Sections 3.1, 3.3 and 3.4), written with scopes.

Comments at the ends of lines give the axes of the result, for one example.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from transformer_math.attention import Masking, Weighting, multi_head, parameters
from transformer_math.config import Config
from transformer_math.graph.scope import Scope, Value
from transformer_math.ops import (
    ADD,
    IDENTITY,
    LINEAR,
    SOFTMAX,
    TIED_LINEAR,
    Activate,
    Embed,
    Labels,
    LayerNorm,
    LearnedPositions,
    MeanLoss,
    Op,
    Scale,
    SinusoidalPositions,
    TokenLoss,
)

Sublayer = Callable[[Value], Value]


class Layers:
    """The layers of one configuration; they contain the settings of ops, but no parameters."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.dropout = config.dropout
        self.norm = LayerNorm(config.epsilon, is_sample=config.norm_deviation == "sample")
        self.activate = Activate(config.activation)
        self.embed = Embed(config.d_model, config.embedding_scale)
        self.scale = _scale(config)
        self.positions: Op | None = None
        if config.positions == "learned":
            self.positions = LearnedPositions()
        elif config.positions != "none":
            halves = config.positions == "sinusoidal_halves"
            self.positions = SinusoidalPositions(config.d_model, halves, config.dtype)

    def embedding(self, scope: Scope, ids: Value, table: Value) -> Value:
        """Add embeddings and positions, then drop (Sections 3.4, 3.5, 5.4): (…, n) -> (…, n, d).

        With ``embedding_norm`` a layer norm precedes the dropout, as in BERT.
        """
        x = scope("embedding", self.embed, ids, table)  # (position, d_model)
        if self.positions is None:
            x = scope("sum", IDENTITY, x)
        else:
            learned = (scope.parameter("W_p"),) if scope.has("W_p") else ()
            positions = scope("positions", self.positions, ids, *learned)  # (position, d_model)
            x = scope("sum", ADD, x, positions)  # (position, d_model)
        if self.config.embedding_norm:
            x = self.normalize(scope, x)  # (position, d_model)
        return scope.dropout("dropout", x, self.dropout.embedding)

    def encoder_layer(self, scope: Scope, x: Value, mask: Masking) -> Value:
        """Apply self-attention, then feed-forward (Section 3.1): (…, n, d) -> (…, n, d)."""
        x = self.attention(scope.sub("self_attn"), x, None, mask)
        return self.feed_forward(scope.sub("feed_forward"), x)

    def decoder_layer(
        self, scope: Scope, x: Value, memory: Value | None, mask: Masking, memory_mask: Masking
    ) -> Value:
        """Apply masked self-attention, cross-attention, and feed-forward (Section 3.1).

        x (…, n, d) and the encoder's output, memory (…, m, d), give (…, n, d). Without an encoder,
        memory is None and there is no cross-attention.
        """
        x = self.attention(scope.sub("self_attn"), x, None, mask)
        if memory is not None:
            x = self.attention(scope.sub("cross_attn"), x, memory, memory_mask)
        return self.feed_forward(scope.sub("feed_forward"), x)

    def attention(self, scope: Scope, x: Value, memory: Value | None, mask: Masking) -> Value:
        """Apply an attention sublayer to x; its keys and values are of ``memory`` (default: x)."""
        weighting = Weighting(self.scale, mask, self.dropout.attention_weights)

        def attend(x: Value) -> Value:
            keys = x if memory is None else memory  # (key, d_model)
            return multi_head(scope, x, keys, keys, weighting)  # (query, d_model)

        return self.sublayer(scope, x, attend, self.dropout.attention_output)

    def feed_forward(self, scope: Scope, x: Value) -> Value:
        """Apply max(0, x W_1 + b_1) W_2 + b_2 (Section 3.3, equation 2) as a sublayer."""

        def network(x: Value) -> Value:
            hidden = scope(
                "hidden", LINEAR, x, *parameters(scope, "W_1", "b_1")
            )  # (position, d_ff)
            active = scope("activation", self.activate, hidden)  # (position, d_ff)
            kept = scope.dropout("activation_dropout", active, self.dropout.activation)
            weights = parameters(scope, "W_2", "b_2")
            return scope("out", LINEAR, kept, *weights)  # (position, d_model)

        return self.sublayer(scope, x, network, self.dropout.feed_forward_output)

    def sublayer(self, scope: Scope, x: Value, inner: Sublayer, rate: float) -> Value:
        """Compute LayerNorm(x + Dropout(inner(x))), Section 3.1.

        Two deviations from the paper are possible: pre-norm, x + Dropout(inner(LayerNorm(x))), and
        no residual connection, which leaves out x +.
        """
        pre = self.config.norm == "pre"
        out = inner(self.normalize(scope, x) if pre else x)  # (position, d_model)
        kept = scope.dropout("dropout", out, rate)  # (position, d_model)
        if self.config.residual:
            total = scope("residual", ADD, x, kept)  # (position, d_model)
        else:
            total = scope("residual", IDENTITY, kept)
        return total if pre else self.normalize(scope, total)

    def normalize(self, scope: Scope, x: Value) -> Value:
        """Apply layer norm with the scope's γ and β."""
        return scope("norm", self.norm, x, scope.parameter("gamma"), scope.parameter("beta"))

    def output(self, scope: Scope, x: Value, tied: Value | None) -> Value:
        """Compute the logits x W^out + b, or x Eᵀ + b with the embedding table (Section 3.4).

        With ``output_transform`` another layer is applied to x first, as in BERT.
        """
        if self.config.output_transform:
            hidden = scope("hidden", LINEAR, x, *parameters(scope, "W_t", "b_t"))
            active = scope("activation", self.activate, hidden)  # (position, d_model)
            x = self.normalize(scope, active)  # (position, d_model)
        bias = (scope.parameter("b_out"),) if scope.has("b_out") else ()
        if tied is not None:
            return scope("logits", TIED_LINEAR, x, tied, *bias)  # (position, vocabulary)
        W_out = scope.parameter("W_out")
        return scope("logits", LINEAR, x, W_out, *bias)  # (position, vocabulary)

    def probabilities(self, scope: Scope, logits: Value) -> Value:
        """Return the softmax over the vocabulary (Section 3.4)."""
        return scope("probabilities", SOFTMAX, logits)  # (position, vocabulary)

    def loss(self, scope: Scope, logits: Value, ids: np.ndarray, labels: Labels) -> Value:
        """Return the mean cross-entropy over positions whose label is not padding (Section 5.4)."""
        pad = self.config.output_pad
        correct = scope.input("labels", ids)
        token_loss = TokenLoss(labels.smoothing, labels.form, pad)
        losses = scope("token_loss", token_loss, logits, correct)  # (position,)
        return scope("loss", MeanLoss(pad), losses, correct)


def _scale(config: Config) -> Op:
    if config.attention_scale == "none":
        return IDENTITY
    if config.attention_scale == "d_model":
        return Scale(config.d_model, r"d_{\mathrm{model}}")
    return Scale(config.key_width, r"d_{k}")
