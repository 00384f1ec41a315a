"""Conversion of the weights of ``torch.nn.Transformer``.

In addition to the names of that module, the state has ``source_embedding.weight``,
``target_embedding.weight``, ``generator.weight`` and ``generator.bias``. PyTorch computes x Wᵀ, so
its matrices are transposed, and packs W^Q, W^K and W^V of all heads into one matrix.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from transformer_math import positional
from transformer_math.checkpoints.state_dict import StateDict, as_array, layer_count
from transformer_math.checks import plain
from transformer_math.config import Config


def from_torch(state: Mapping[str, Any], config: Config) -> tuple[Config, dict[str, np.ndarray]]:
    """The config and the parameters, path -> array, of a state.

    Whether there are final norms, biases and a separate output layer is read from the state;
    everything else is as in the given config.

    Raises:
        ValueError: a weight is missing, does not fit the config, or is not used.
    """
    arrays = _without_prefixes(state)
    config = _with_detected_parts(arrays, config)
    parameters = _Reader(arrays, config).parameters()
    arrays.check_all_used()
    return config, parameters


def config_of(state: Mapping[str, Any], heads: int, **settings: Any) -> Config:
    """The config of a state, whose sizes are read from the shapes of its arrays.

    Args:
        state: name -> array or tensor; see ``from_torch``.
        heads: the number of heads, which no shape shows, because they are packed in one matrix.
        settings: other settings of ``Config`` that no shape shows, such as ``norm``.

    Raises:
        ValueError: the state is not of this kind, d_model is not a multiple of heads, or a setting
            is out of range.
    """
    arrays = _without_prefixes(state)
    encoders = layer_count(arrays.arrays, "encoder.layers.")
    decoders = layer_count(arrays.arrays, "decoder.layers.")
    if not encoders + decoders:
        raise ValueError(
            "The state has no layers by the names of torch.nn.Transformer, such as "
            "encoder.layers.0.self_attn.in_proj_weight."
        )
    stack = "encoder" if encoders else "decoder"
    d_ff, d_model = arrays.take(f"{stack}.layers.0.linear1.weight", None, None).shape
    heads = plain(heads)
    if type(heads) is not int or heads < 1 or d_model % heads:
        raise ValueError(f"d_model is {d_model} by the weights, no multiple of {heads!r} heads.")
    shared = bool(encoders) and "target_embedding.weight" not in arrays
    source = len(arrays.take("source_embedding.weight", None, d_model)) if encoders else 0
    target = source if shared else len(arrays.take("target_embedding.weight", None, d_model))
    found: dict[str, Any] = {
        "d_model": d_model,
        "heads": heads,
        "d_ff": d_ff,
        "encoder_layers": encoders,
        "decoder_layers": decoders,
        "source_vocabulary": source or target,
        "target_vocabulary": target,
        "share_embeddings": shared and decoders > 0,
    }
    table = f"{'source' if encoders else 'target'}_positions.weight"
    if table in arrays:
        rows = len(arrays.take(table, None, d_model))
        found |= {"positions": "learned", "max_positions": rows}
    return _with_detected_parts(arrays, Config(**found | settings))


_FIRST = re.compile(r"(.*?)(encoder|decoder)\.layers\.\d+\.self_attn\.in_proj_weight")
_SINUSOIDS = re.compile(r"(.+\.)?pe")  # the name of the table in PyTorch's tutorial


def _without_prefixes(state: Mapping[str, Any]) -> StateDict:
    """The state with the names of ``torch.nn.Transformer``, without a table of sinusoids.

    If a module contains the Transformer, its names have a prefix such as ``transformer.`` or
    ``module.transformer.``; those of the embeddings then start with ``module.``.

    Raises:
        ValueError: a table of positions is not that of the paper's sinusoids.
    """
    found = (_FIRST.fullmatch(name) for name in state)
    parts = next((match[1].split(".")[:-1] for match in found if match), [])
    prefixes = [".".join(parts[:n]) + "." for n in range(len(parts), 0, -1)]
    arrays: dict[str, np.ndarray] = {}
    for name, value in state.items():
        own = next((name.removeprefix(p) for p in prefixes if name.startswith(p)), name)
        if _SINUSOIDS.fullmatch(own):
            _check_sinusoids(own, as_array(value))
        else:
            arrays[own] = as_array(value)
    return StateDict(arrays)


def _check_sinusoids(name: str, table: np.ndarray) -> None:
    """Check that a table of positions (…, n, d) is that of the paper's sinusoids."""
    rows = table.reshape(-1, table.shape[-1]) if table.ndim else np.empty((0, 1))
    if not np.allclose(rows, positional.sinusoidal(*rows.shape), atol=2e-3):
        raise ValueError(
            f"{name} is no table of the paper's sinusoids; learned positions are called "
            "source_positions.weight and target_positions.weight."
        )


def dtype_of(state: Mapping[str, Any]) -> str:
    """``float64`` if any of the weights has that dtype, else ``float32``."""
    wide = any(as_array(value).dtype == np.float64 for value in state.values())
    return "float64" if wide else "float32"


def _with_detected_parts(arrays: StateDict, config: Config) -> Config:
    """The config with final norms, biases and output layer as the state has them."""
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
    """Reads every parameter of a config from a state."""

    def __init__(self, state: StateDict, config: Config) -> None:
        self.state = state
        self.config = config

    def parameters(self) -> dict[str, np.ndarray]:
        """Path -> array of every parameter of the config."""
        config, d = self.config, self.config.d_model
        found = self.tables()
        for n in range(config.encoder_layers):
            theirs, ours = f"encoder.layers.{n}.", f"encoder.{n}."
            found |= self.attention(theirs + "self_attn.", theirs + "norm1.", ours + "self_attn.")
            found |= self.feed_forward(theirs, theirs + "norm2.", ours + "feed_forward.")
        for n in range(config.decoder_layers):
            found |= self.decoder_layer(f"decoder.layers.{n}.", f"decoder.{n}.")
        if config.has_final_norm:
            stacks = {"encoder": config.encoder_layers, "decoder": config.decoder_layers}
            for stack in (name for name, layers in stacks.items() if layers):
                found |= self.norm(f"{stack}.norm.", f"{stack}.final.")
        if not config.tie_output:
            found["output.W_out"] = self.take("generator.weight", config.output_vocabulary, d).T
        if config.output_bias:
            found["output.b_out"] = self.take("generator.bias", config.output_vocabulary)
        return found

    def tables(self) -> dict[str, np.ndarray]:
        """The tables of embeddings and of learned positions."""
        config, d = self.config, self.config.d_model
        found = {}
        if config.encoder_layers:
            found["source.W_e"] = self.take("source_embedding.weight", config.source_vocabulary, d)
        if config.decoder_layers and not (config.share_embeddings and config.encoder_layers):
            found["target.W_e"] = self.take("target_embedding.weight", config.target_vocabulary, d)
        if config.positions == "learned":
            sides = {"source": config.encoder_layers, "target": config.decoder_layers}
            for side in (name for name, layers in sides.items() if layers):
                rows = config.max_positions
                found[f"{side}.W_p"] = self.take(f"{side}_positions.weight", rows, d)
        return found

    def decoder_layer(self, theirs: str, ours: str) -> dict[str, np.ndarray]:
        """Self-attention, cross-attention if there is an encoder, and feed-forward."""
        found = self.attention(theirs + "self_attn.", theirs + "norm1.", ours + "self_attn.")
        last = "norm2."
        if self.config.encoder_layers:
            cross = self.attention(theirs + "multihead_attn.", theirs + last, ours + "cross_attn.")
            found, last = found | cross, "norm3."
        return found | self.feed_forward(theirs, theirs + last, ours + "feed_forward.")

    def attention(self, theirs: str, norm: str, ours: str) -> dict[str, np.ndarray]:
        """An attention sublayer; the packed matrix (3·d, d) becomes three of (h, d, k)."""
        d = self.config.d_model
        packed = self.take(theirs + "in_proj_weight", 3 * d, d)
        if d % self.config.heads:
            raise ValueError(
                f"{theirs}in_proj_weight has {len(packed)} rows, "
                f"which are not three times {self.config.heads} heads."
            )
        found = {}
        for name, weight in zip("qkv", np.split(packed, 3), strict=True):
            found[f"{ours}W_{name}"] = self._heads(weight).transpose(0, 2, 1)
        if self.config.attention_bias:
            biases = np.split(self.take(theirs + "in_proj_bias", 3 * d), 3)
            for name, bias in zip("qkv", biases, strict=True):
                found[f"{ours}b_{name}"] = self._heads(bias)
            found[ours + "b_o"] = self.take(theirs + "out_proj.bias", d)
        found[ours + "W_o"] = self.take(theirs + "out_proj.weight", d, d).T
        return found | self.norm(norm, ours)

    def feed_forward(self, theirs: str, norm: str, ours: str) -> dict[str, np.ndarray]:
        """A feed-forward sublayer: two linear layers and a norm."""
        found = {}
        d, f = self.config.d_model, self.config.feed_forward_width
        for n, rows, columns in (("1", f, d), ("2", d, f)):
            found[f"{ours}W_{n}"] = self.take(f"{theirs}linear{n}.weight", rows, columns).T
            if self.config.feed_forward_bias:
                found[f"{ours}b_{n}"] = self.take(f"{theirs}linear{n}.bias", rows)
        return found | self.norm(norm, ours)

    def norm(self, theirs: str, ours: str) -> dict[str, np.ndarray]:
        """γ and β, which is 0 for a norm without bias."""
        gamma = self.take(theirs + "weight", self.config.d_model)
        bias = theirs + "bias"
        beta = self.take(bias, *gamma.shape) if bias in self.state else np.zeros_like(gamma)
        return {ours + "gamma": gamma, ours + "beta": beta}

    def take(self, name: str, *shape: int) -> np.ndarray:
        """The array of a name, of this shape, marked as used."""
        return self.state.take(name, *shape)

    def _heads(self, rows: np.ndarray) -> np.ndarray:
        """Rows of all heads (h·k, …) as (h, k, …)."""
        return rows.reshape(self.config.heads, -1, *rows.shape[1:])
