"""Conversion of the weights of Hugging Face's ``BertForMaskedLM``, an encoder without a decoder.

BERT (Devlin et al., 2018) has the paper's encoder layers and deviates in these settings: learned
positions, GELU, biases in attention, embeddings that are not scaled but normed, and an output with
a network of its own whose weights are the embeddings. PyTorch computes x Wᵀ, so that its matrices
are transposed.

A text is one segment here: the embedding of the first kind of segment is added to every position,
so that it is part of the learned positions. The head that tells whether a second sentence follows
the first one (``pooler``, ``seq_relationship``) is left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from transformer_math.checkpoints.hugging_face import HubConfig
from transformer_math.checkpoints.state_dict import StateDict
from transformer_math.config import Config, DropoutRates

_LEFT_OUT = re.compile(r"(pooler\..*|cls\.seq_relationship\..*|embeddings\.position_ids)")
_HEAD = "cls.predictions."


def from_bert(
    config: Mapping[str, Any], state: Mapping[str, Any], dtype: str = "float32"
) -> tuple[Config, dict[str, np.ndarray]]:
    """The config and the parameters, path -> array, of ``config.json`` and the weights.

    The output is tied to the embeddings unless the state has other output weights.

    Args:
        config: the content of ``config.json``.
        state: name -> array or tensor; the prefix ``bert.`` is allowed.
        dtype: the dtype of the model.

    Raises:
        ValueError: the config is of another architecture or has an unknown setting; the state has
            no head for masked words; or a weight is missing, has another shape, or is not used.
    """
    arrays = StateDict(
        {
            _modern(name): value
            for full, value in state.items()
            if not _LEFT_OUT.fullmatch(name := full.removeprefix("bert."))
        }
    )
    if _HEAD + "transform.dense.weight" not in arrays:
        raise ValueError(
            "These weights have no head for masked words (cls.predictions): read is what "
            "BertForMaskedLM or BertForPreTraining saves."
        )
    found = _config(HubConfig(config, "bert"), arrays, dtype)
    d, v = found.d_model, found.source_vocabulary
    table = "embeddings.word_embeddings.weight"
    positions = arrays.take("embeddings.position_embeddings.weight", found.max_positions, d)
    segments = arrays.take("embeddings.token_type_embeddings.weight", None, d)
    parameters = {
        "source.W_e": arrays.take(table, v, d),
        "source.W_p": positions + segments[0],
        **_norm(arrays, "embeddings.LayerNorm", "source.", d),
    }
    for n in range(found.encoder_layers):
        parameters |= _layer(arrays, f"encoder.layer.{n}.", f"encoder.{n}.", found)
    parameters["output.W_t"] = arrays.take(_HEAD + "transform.dense.weight", d, d).T
    parameters["output.b_t"] = arrays.take(_HEAD + "transform.dense.bias", d)
    parameters |= _norm(arrays, _HEAD + "transform.LayerNorm", "output.", d)
    if not found.tie_output:
        parameters["output.W_out"] = arrays.take(_HEAD + "decoder.weight", v, d).T
    bias = _HEAD + ("bias" if _HEAD + "bias" in arrays else "decoder.bias")
    parameters["output.b_out"] = arrays.take(bias, v)
    for name in ("decoder.weight", "decoder.bias", "bias"):
        arrays.ignore(_HEAD + name)
    arrays.check_all_used()
    return found, parameters


def _modern(name: str) -> str:
    """The name of a norm's γ and β since 2019; earlier files call them so."""
    for old, new in (("LayerNorm.gamma", "LayerNorm.weight"), ("LayerNorm.beta", "LayerNorm.bias")):
        if name.endswith(old):
            return name.removesuffix(old) + new
    return name


def _config(config: HubConfig, arrays: StateDict, dtype: str) -> Config:
    """The settings, of which only whether the output is tied is read from the weights."""
    config.refuse("is_decoder", False, "a decoder")
    config.refuse("add_cross_attention", False, "cross-attention")
    config.refuse("position_embedding_type", "absolute", "relative positions")
    v, d = config.size("vocab_size"), config.size("hidden_size")
    output, table = _HEAD + "decoder.weight", "embeddings.word_embeddings.weight"
    own = output in arrays and not np.array_equal(
        arrays.arrays[output], arrays.arrays.get(table, ())
    )
    dropout = config.number("hidden_dropout_prob", 0.1, 1)
    return Config(
        d_model=d,
        heads=config.size("num_attention_heads"),
        d_ff=config.size("intermediate_size"),
        encoder_layers=config.size("num_hidden_layers"),
        decoder_layers=0,
        source_vocabulary=v,
        target_vocabulary=v,
        activation=config.activation("hidden_act", "gelu"),
        norm="post",
        positions="learned",
        max_positions=config.size("max_position_embeddings"),
        embedding_scale=False,
        embedding_norm=True,
        attention_bias=True,
        output_bias=True,
        output_transform=True,
        tie_output=not own,
        dropout=DropoutRates(
            embedding=dropout,
            attention_weights=config.number("attention_probs_dropout_prob", 0.1, 1),
            attention_output=dropout,
            feed_forward_output=dropout,
        ),
        epsilon=config.number("layer_norm_eps", 1e-12, 1),
        dtype=dtype,
        source_pad=config.size("pad_token_id", least=0) if config.has("pad_token_id") else None,
    )


def _layer(state: StateDict, theirs: str, ours: str, config: Config) -> dict[str, np.ndarray]:
    """A layer: self-attention and feed-forward, each with the norm after it."""
    d, f, h = config.d_model, config.feed_forward_width, config.heads
    attention, network = ours + "self_attn.", ours + "feed_forward."
    found: dict[str, np.ndarray] = {}
    for name in ("query", "key", "value"):
        linear = f"{theirs}attention.self.{name}."
        weight = state.take(linear + "weight", d, d)
        found[f"{attention}W_{name[0]}"] = weight.reshape(h, -1, d).transpose(0, 2, 1)
        found[f"{attention}b_{name[0]}"] = state.take(linear + "bias", d).reshape(h, -1)
    found[attention + "W_o"] = state.take(theirs + "attention.output.dense.weight", d, d).T
    found[attention + "b_o"] = state.take(theirs + "attention.output.dense.bias", d)
    found |= _norm(state, theirs + "attention.output.LayerNorm", attention, d)
    for n, name, rows, columns in (("1", "intermediate", f, d), ("2", "output", d, f)):
        found[f"{network}W_{n}"] = state.take(f"{theirs}{name}.dense.weight", rows, columns).T
        found[f"{network}b_{n}"] = state.take(f"{theirs}{name}.dense.bias", rows)
    return found | _norm(state, theirs + "output.LayerNorm", network, d)


def _norm(state: StateDict, theirs: str, ours: str, d: int) -> dict[str, np.ndarray]:
    """γ and β of a layer norm."""
    return {
        ours + "gamma": state.take(theirs + ".weight", d),
        ours + "beta": state.take(theirs + ".bias", d),
    }
