"""Weights of ``torch.nn.Transformer`` in the names of the paper.

Beside the names of that module the state holds ``source_embedding.weight``,
``target_embedding.weight``, ``generator.weight`` and ``generator.bias``. Torch multiplies from
the other side, so its matrices are transposed; it packs W^Q, W^K and W^V of all heads into one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from transformer_math.config import Config


def read(state: Mapping[str, ArrayLike], config: Config) -> tuple[Config, dict[str, np.ndarray]]:
    """The config as the state has it, and the parameters by path.

    Final norms, biases and a separate output layer are taken as the state has them; everything
    else as the config says.

    Raises:
        ValueError: a weight is missing, does not fit the config, or is left over.
    """
    arrays = {name: np.asarray(value) for name, value in state.items()}
    config = _as_found(arrays, config)
    found = _Reader(arrays, config)
    parameters = found.parameters()
    left = sorted(set(arrays) - found.used)
    if left:
        raise ValueError(f"The config has no place for {', '.join(left[:5])}.")
    return config, parameters


def _as_found(arrays: Mapping[str, np.ndarray], config: Config) -> Config:
    stack = "decoder" if config.decoder_layers else "encoder"
    first = f"{stack}.layers.0."
    return dataclasses.replace(
        config,
        final_norm=f"{stack}.norm.weight" in arrays,
        attention_bias=first + "self_attn.in_proj_bias" in arrays,
        feed_forward_bias=first + "linear1.bias" in arrays,
        output_bias="generator.bias" in arrays,
        tie_output="generator.weight" not in arrays,
    )


class _Reader:
    """Takes arrays out of a state and notes which ones were used."""

    def __init__(self, arrays: Mapping[str, np.ndarray], config: Config) -> None:
        self.arrays = arrays
        self.config = config
        self.used: set[str] = set()

    def parameters(self) -> dict[str, np.ndarray]:
        """Every parameter of the config, by path."""
        config = self.config
        found = {}
        if config.encoder_layers:
            found["source.W_e"] = self.take("source_embedding.weight")
        if config.decoder_layers and not (config.share_embeddings and config.encoder_layers):
            found["target.W_e"] = self.take("target_embedding.weight")
        if config.positions == "learned":
            for side, layers in (
                ("source", config.encoder_layers),
                ("target", config.decoder_layers),
            ):
                if layers:
                    found[f"{side}.W_p"] = self.take(f"{side}_positions.weight")
        for n in range(config.encoder_layers):
            theirs, ours = f"encoder.layers.{n}.", f"encoder.{n}."
            found |= self.attention(theirs + "self_attn.", theirs + "norm1.", ours + "self_attn.")
            found |= self.feed_forward(theirs, theirs + "norm2.", ours + "feed_forward.")
        for n in range(config.decoder_layers):
            theirs, ours = f"decoder.layers.{n}.", f"decoder.{n}."
            found |= self.attention(theirs + "self_attn.", theirs + "norm1.", ours + "self_attn.")
            if config.encoder_layers:
                found |= self.attention(
                    theirs + "multihead_attn.", theirs + "norm2.", ours + "cross_attn."
                )
            last = "norm3." if config.encoder_layers else "norm2."
            found |= self.feed_forward(theirs, theirs + last, ours + "feed_forward.")
        if config.has_final_norm:
            for stack, layers in (
                ("encoder", config.encoder_layers),
                ("decoder", config.decoder_layers),
            ):
                if layers:
                    found |= self.norm(f"{stack}.norm.", f"{stack}.final.")
        if not config.tie_output:
            found["output.W_out"] = self.take("generator.weight").T
        if config.output_bias:
            found["output.b_out"] = self.take("generator.bias")
        return found

    def attention(self, theirs: str, norm: str, ours: str) -> dict[str, np.ndarray]:
        """One attention sublayer: packed (3·d, d) becomes three (h, d, k)."""
        packed = self.take(theirs + "in_proj_weight")
        if len(packed) % (3 * self.config.heads):
            raise ValueError(
                f"{theirs}in_proj_weight has {len(packed)} rows, "
                f"which are not three times {self.config.heads} heads."
            )
        found = {}
        for name, weight in zip("qkv", np.split(packed, 3), strict=True):
            found[f"{ours}W_{name}"] = self._heads(weight).transpose(0, 2, 1)
        if self.config.attention_bias:
            biases = np.split(self.take(theirs + "in_proj_bias"), 3)
            for name, bias in zip("qkv", biases, strict=True):
                found[f"{ours}b_{name}"] = self._heads(bias)
            found[ours + "b_o"] = self.take(theirs + "out_proj.bias")
        found[ours + "W_o"] = self.take(theirs + "out_proj.weight").T
        return found | self.norm(norm, ours)

    def feed_forward(self, theirs: str, norm: str, ours: str) -> dict[str, np.ndarray]:
        """The two linear layers and their norm."""
        found = {}
        for n in "12":
            found[f"{ours}W_{n}"] = self.take(f"{theirs}linear{n}.weight").T
            if self.config.feed_forward_bias:
                found[f"{ours}b_{n}"] = self.take(f"{theirs}linear{n}.bias")
        return found | self.norm(norm, ours)

    def norm(self, theirs: str, ours: str) -> dict[str, np.ndarray]:
        """γ and β; a norm without bias has β = 0."""
        gamma = self.take(theirs + "weight")
        bias = theirs + "bias"
        beta = self.take(bias) if bias in self.arrays else np.zeros_like(gamma)
        return {ours + "gamma": gamma, ours + "beta": beta}

    def take(self, name: str) -> np.ndarray:
        """The array of that name, noted as used."""
        if name not in self.arrays:
            raise ValueError(f"The state has no {name}.")
        self.used.add(name)
        return self.arrays[name]

    def _heads(self, rows: np.ndarray) -> np.ndarray:
        """Rows of all heads (h·k, …) as (h, k, …)."""
        return rows.reshape(self.config.heads, -1, *rows.shape[1:])
