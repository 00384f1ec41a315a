"""The layers of both stacks (Sections 3.1, 3.3 and 3.4), written with scopes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from transformer_math.attention import Masking, multi_head, parameters
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
    """The layers of one configuration. They hold the ops' settings and no parameters."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.dropout = config.dropout
        self.norm = LayerNorm(config.epsilon)
        self.activate = Activate(config.activation)
        self.embed = Embed(config.d_model, config.embedding_scale)
        self.scale = _scale(config)
        self.positions: Op | None = None
        if config.positions == "learned":
            self.positions = LearnedPositions()
        elif config.positions != "none":
            halves = config.positions == "sinusoidal_halves"
            self.positions = SinusoidalPositions(config.d_model, halves, config.dtype)

    def embedding(self, run: Scope, ids: Value, table: Value) -> Value:
        """Embeddings plus positions, then dropout (Sections 3.4, 3.5, 5.4): (…, n) -> (…, n, d)."""
        x = run("embedding", self.embed, ids, table)
        if self.positions is None:
            x = run("sum", IDENTITY, x)
        else:
            learned = (run.parameter("W_p"),) if run.has("W_p") else ()
            x = run("sum", ADD, x, run("positions", self.positions, ids, *learned))
        return run.dropout("dropout", x, self.dropout.embedding)

    def encoder_layer(self, run: Scope, x: Value, mask: Masking) -> Value:
        """Self-attention, then feed-forward (Section 3.1): (…, n, d) -> (…, n, d)."""
        x = self.attention(run.sub("self_attn"), x, None, mask)
        return self.feed_forward(run.sub("feed_forward"), x)

    def decoder_layer(
        self, run: Scope, x: Value, memory: Value | None, mask: Masking, memory_mask: Masking
    ) -> Value:
        """Masked self-attention, cross-attention, feed-forward (Section 3.1).

        x (…, n, d) and the encoder's output, memory (…, m, d), give (…, n, d); without an
        encoder there is nothing to cross over to.
        """
        x = self.attention(run.sub("self_attn"), x, None, mask)
        if memory is not None:
            x = self.attention(run.sub("cross_attn"), x, memory, memory_mask)
        return self.feed_forward(run.sub("feed_forward"), x)

    def attention(self, run: Scope, x: Value, memory: Value | None, mask: Masking) -> Value:
        """An attention sublayer; keys and values come from memory, or from x itself."""

        def attend(x: Value) -> Value:
            seen = x if memory is None else memory
            return multi_head(run, x, seen, seen, self.scale, mask, self.dropout.attention_weights)

        return self.sublayer(run, x, attend, self.dropout.attention_output)

    def feed_forward(self, run: Scope, x: Value) -> Value:
        """max(0, x W_1 + b_1) W_2 + b_2 (Section 3.3, equation 2), as a sublayer."""

        def network(x: Value) -> Value:
            hidden = run("hidden", LINEAR, x, *parameters(run, "W_1", "b_1"))
            active = run("activation", self.activate, hidden)
            kept = run.dropout("activation_dropout", active, self.dropout.activation)
            return run("out", LINEAR, kept, *parameters(run, "W_2", "b_2"))

        return self.sublayer(run, x, network, self.dropout.feed_forward_output)

    def sublayer(self, run: Scope, x: Value, inner: Sublayer, rate: float) -> Value:
        """LayerNorm(x + Dropout(inner(x))), Section 3.1.

        Pre-norm, a deviation from the paper, is x + Dropout(inner(LayerNorm(x))). Without the
        residual connection, another one, x + is left out.
        """
        pre = self.config.norm == "pre"
        out = inner(self.normalize(run, x) if pre else x)
        kept = run.dropout("dropout", out, rate)
        if self.config.residual:
            total = run("residual", ADD, x, kept)
        else:
            total = run("residual", IDENTITY, kept)
        return total if pre else self.normalize(run, total)

    def normalize(self, run: Scope, x: Value) -> Value:
        """Layer norm with the scope's γ and β."""
        return run("norm", self.norm, x, run.parameter("gamma"), run.parameter("beta"))

    def output(self, run: Scope, x: Value, tied: Value | None) -> Value:
        """Logits: x W^out + b, or x Eᵀ + b with the embedding table (Section 3.4)."""
        bias = (run.parameter("b_out"),) if run.has("b_out") else ()
        if tied is not None:
            return run("logits", TIED_LINEAR, x, tied, *bias)
        return run("logits", LINEAR, x, run.parameter("W_out"), *bias)

    def probabilities(self, run: Scope, logits: Value) -> Value:
        """The softmax over the vocabulary (Section 3.4)."""
        return run("probabilities", SOFTMAX, logits)

    def loss(self, run: Scope, logits: Value, ids: np.ndarray, labels: Labels) -> Value:
        """The mean cross-entropy over the positions whose label is no padding (Section 5.4)."""
        pad = self.config.output_pad
        right = run.given("labels", ids)
        losses = run("token_loss", TokenLoss(labels.smoothing, labels.form, pad), logits, right)
        return run("loss", MeanLoss(pad), losses, right)


def _scale(config: Config) -> Op:
    if config.attention_scale == "none":
        return IDENTITY
    if config.attention_scale == "d_model":
        return Scale(config.d_model, r"d_{\mathrm{model}}")
    return Scale(config.key_width, r"d_{k}")
