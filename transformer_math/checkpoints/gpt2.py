"""Conversion of the weights of Hugging Face's ``GPT2LMHeadModel``, a decoder without an encoder.

GPT-2 (Radford et al., 2019) has the paper's decoder layers without cross-attention, and deviates in
these settings: learned positions, the norm before each sublayer and once more at the end, GELU by
tanh, biases in attention, embeddings that are not scaled, and output weights that are the
embeddings. Its ``Conv1D`` computes x W, so that its matrices are not transposed; W^Q, W^K and W^V
of all heads are side by side in one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from transformer_math.checkpoints.hugging_face import HubConfig
from transformer_math.checkpoints.state_dict import StateDict
from transformer_math.config import Config, DropoutRates

_MASKS = re.compile(r"h\.\d+\.attn\.(masked_)?bias")  # the look-ahead mask, in older files


def from_gpt2(
    config: Mapping[str, Any], state: Mapping[str, Any], dtype: str = "float32"
) -> tuple[Config, dict[str, np.ndarray]]:
    """The config and the parameters, path -> array, of ``config.json`` and the weights.

    The output is tied to the embeddings unless the state has other output weights.

    Args:
        config: the content of ``config.json``.
        state: name -> array or tensor; the prefix ``transformer.`` is allowed.
        dtype: the dtype of the model.

    Raises:
        ValueError: the config is of another architecture or has an unknown setting; or a weight is
            missing, has another shape, or is not used.
    """
    arrays = StateDict(
        {
            name: value
            for full, value in state.items()
            if not _MASKS.fullmatch(name := full.removeprefix("transformer."))
        }
    )
    found = _config(HubConfig(config, "gpt2"), arrays, dtype)
    d, v = found.d_model, found.target_vocabulary
    table = arrays.take("wte.weight", v, d)
    parameters = {
        "target.W_e": table,
        "target.W_p": arrays.take("wpe.weight", found.max_positions, d),
    }
    for n in range(found.decoder_layers):
        parameters |= _layer(arrays, f"h.{n}.", f"decoder.{n}.", found)
    parameters |= _norm(arrays, "ln_f", "decoder.final.", d)
    if not found.tie_output:
        parameters["output.W_out"] = arrays.take("lm_head.weight", v, d).T
    arrays.ignore("lm_head.weight")
    arrays.check_all_used()
    return found, parameters


def _config(config: HubConfig, arrays: StateDict, dtype: str) -> Config:
    """The settings, of which only whether the output is tied is read from the weights."""
    config.refuse("scale_attn_by_inverse_layer_idx", False, "scores divided by the layer's number")
    config.refuse("add_cross_attention", False, "cross-attention")
    d, v = config.size("n_embd"), config.size("vocab_size")
    own = "lm_head.weight" in arrays and not np.array_equal(
        arrays.arrays["lm_head.weight"], arrays.arrays.get("wte.weight", ())
    )
    dropout = config.number("resid_pdrop", 0.1, 1)
    return Config(
        d_model=d,
        heads=config.size("n_head"),
        d_ff=config.size("n_inner", 4 * d),
        encoder_layers=0,
        decoder_layers=config.size("n_layer"),
        source_vocabulary=v,
        target_vocabulary=v,
        activation=config.activation("activation_function", "gelu_new"),
        norm="pre",
        final_norm=True,
        positions="learned",
        max_positions=config.size("n_positions"),
        embedding_scale=False,
        attention_scale="d_k" if config.flag("scale_attn_weights", True) else "none",
        attention_bias=True,
        tie_output=not own,
        dropout=DropoutRates(
            embedding=config.number("embd_pdrop", 0.1, 1),
            attention_weights=config.number("attn_pdrop", 0.1, 1),
            attention_output=dropout,
            feed_forward_output=dropout,
        ),
        epsilon=config.number("layer_norm_epsilon", 1e-5, 1),
        dtype=dtype,
    )


def _layer(state: StateDict, theirs: str, ours: str, config: Config) -> dict[str, np.ndarray]:
    """A layer: self-attention and feed-forward, each with the norm before it."""
    d, f, h = config.d_model, config.feed_forward_width, config.heads
    attention, network = ours + "self_attn.", ours + "feed_forward."
    found = _norm(state, theirs + "ln_1", attention, d)
    packed = np.split(state.take(theirs + "attn.c_attn.weight", d, 3 * d), 3, axis=1)
    biases = np.split(state.take(theirs + "attn.c_attn.bias", 3 * d), 3)
    for name, weight, bias in zip("qkv", packed, biases, strict=True):
        found[f"{attention}W_{name}"] = weight.reshape(d, h, -1).transpose(1, 0, 2)
        found[f"{attention}b_{name}"] = bias.reshape(h, -1)
    found[attention + "W_o"] = state.take(theirs + "attn.c_proj.weight", d, d)
    found[attention + "b_o"] = state.take(theirs + "attn.c_proj.bias", d)
    found |= _norm(state, theirs + "ln_2", network, d)
    for n, name, rows, columns in (("1", "c_fc", d, f), ("2", "c_proj", f, d)):
        found[f"{network}W_{n}"] = state.take(f"{theirs}mlp.{name}.weight", rows, columns)
        found[f"{network}b_{n}"] = state.take(f"{theirs}mlp.{name}.bias", columns)
    return found


def _norm(state: StateDict, theirs: str, ours: str, d: int) -> dict[str, np.ndarray]:
    """γ and β of a layer norm."""
    return {
        ours + "gamma": state.take(theirs + ".weight", d),
        ours + "beta": state.take(theirs + ".bias", d),
    }
