"""Conversion of the weights of Hugging Face's ``MarianMTModel``.

Marian (Junczys-Dowmunt et al., 2018) is the paper's model with post-norm and few deviations: the
positional encoding has first all sines and then all cosines, all linear maps have biases (that of
the output is ``final_logits_bias``), and the activation is configurable. PyTorch computes x Wᵀ,
so its matrices are transposed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from transformer_math.checkpoints.hugging_face import HubConfig
from transformer_math.checkpoints.state_dict import StateDict
from transformer_math.config import Config, DropoutRates
from transformer_math.positional import sinusoidal_halves


def from_marian(
    config: Mapping[str, Any], state: Mapping[str, ArrayLike], dtype: str = "float32"
) -> tuple[Config, dict[str, np.ndarray]]:
    """The config and the parameters, path -> array, of ``config.json`` and the weights.

    Tables are shared if their numbers are equal; without output weights, the output is tied to the
    target's embedding. Padding is masked only in the source, because targets start with ``<pad>``.

    Args:
        config: the content of ``config.json``.
        state: name -> array.
        dtype: the dtype of the model.

    Raises:
        ValueError: the config is of another architecture or has an unknown setting; or a weight is
            missing, has another shape, or is not used.
    """
    arrays = StateDict(state)
    settings = _settings(HubConfig(config, "marian"))
    d, v, w = settings["d_model"], settings["source_vocabulary"], settings["target_vocabulary"]
    source = arrays.take(_either(arrays, "model.encoder.embed_tokens.weight"), v, d)
    target = arrays.take(_either(arrays, "model.decoder.embed_tokens.weight"), w, d)
    arrays.ignore("model.shared.weight")
    output = target
    if "lm_head.weight" in arrays:
        output = arrays.take("lm_head.weight", w, d)
    found = Config(
        **settings,
        share_embeddings=_equal(source, target),
        tie_output=_equal(output, target),
        output_bias="final_logits_bias" in arrays,
        dtype=dtype,
    )
    parameters = {"source.W_e": source}
    if not found.share_embeddings:
        parameters["target.W_e"] = target
    for stack, layers in (("encoder", found.encoder_layers), ("decoder", found.decoder_layers)):
        for n in range(layers):
            parameters |= _layer(arrays, f"model.{stack}.layers.{n}.", f"{stack}.{n}.", found)
        _check_positions(arrays, f"model.{stack}.embed_positions.weight", d)
    if not found.tie_output:
        parameters["output.W_out"] = output.T
    if found.output_bias:
        parameters["output.b_out"] = arrays.take("final_logits_bias", 1, w)[0]
    arrays.check_all_used()
    return found, parameters


def _settings(config: HubConfig) -> dict[str, Any]:
    """The settings of ``Config`` in ``config.json``."""
    for name in ("normalize_before", "normalize_embedding"):
        config.refuse(name, False, "norms that Marian's layers do not have")
    v, pad = config.size("vocab_size"), config.size("pad_token_id", least=0)
    shared = config.flag("share_encoder_decoder_embeddings", True)
    w = v if shared else config.size("decoder_vocab_size", v)
    dropout = config.number("dropout", 0.1, 1)
    return {
        "d_model": config.size("d_model"),
        "heads": _of_both(config, "attention_heads"),
        "d_ff": _of_both(config, "ffn_dim"),
        "encoder_layers": config.size("encoder_layers"),
        "decoder_layers": config.size("decoder_layers"),
        "source_vocabulary": v,
        "target_vocabulary": w,
        "activation": config.activation("activation_function", "gelu"),
        "norm": "post",
        "positions": "sinusoidal_halves",
        "embedding_scale": config.flag("scale_embedding", False),
        "attention_bias": True,
        "feed_forward_bias": True,
        "source_pad": pad,
        "dropout": DropoutRates(
            embedding=dropout,
            attention_weights=config.number("attention_dropout", 0.0, 1),
            attention_output=dropout,
            activation=config.number("activation_dropout", 0.0, 1),
            feed_forward_output=dropout,
        ),
    }


def _layer(state: StateDict, theirs: str, ours: str, config: Config) -> dict[str, np.ndarray]:
    """A layer of the encoder, or of the decoder with its cross-attention."""
    d, f = config.d_model, config.feed_forward_width
    found = _attention(state, theirs + "self_attn", ours + "self_attn.", config)
    if ours.startswith("decoder"):
        found |= _attention(state, theirs + "encoder_attn", ours + "cross_attn.", config)
    ours += "feed_forward."
    found[ours + "W_1"] = state.take(theirs + "fc1.weight", f, d).T
    found[ours + "b_1"] = state.take(theirs + "fc1.bias", f)
    found[ours + "W_2"] = state.take(theirs + "fc2.weight", d, f).T
    found[ours + "b_2"] = state.take(theirs + "fc2.bias", d)
    return found | _norm(state, theirs + "final_layer_norm", ours, d)


def _attention(state: StateDict, theirs: str, ours: str, config: Config) -> dict[str, np.ndarray]:
    """An attention sublayer; matrices (h·k, d) of all heads become (h, d, k)."""
    d, h = config.d_model, config.heads
    found: dict[str, np.ndarray] = {}
    for name in "qkv":
        weight = state.take(f"{theirs}.{name}_proj.weight", d, d)
        found[f"{ours}W_{name}"] = weight.reshape(h, -1, d).transpose(0, 2, 1)
        found[f"{ours}b_{name}"] = state.take(f"{theirs}.{name}_proj.bias", d).reshape(h, -1)
    found[ours + "W_o"] = state.take(theirs + ".out_proj.weight", d, d).T
    found[ours + "b_o"] = state.take(theirs + ".out_proj.bias", d)
    return found | _norm(state, theirs + "_layer_norm", ours, d)


def _norm(state: StateDict, theirs: str, ours: str, d: int) -> dict[str, np.ndarray]:
    """γ and β of a layer norm."""
    return {
        ours + "gamma": state.take(theirs + ".weight", d),
        ours + "beta": state.take(theirs + ".bias", d),
    }


def _check_positions(state: StateDict, name: str, d: int) -> None:
    """Check that a stored table of positions is that of the sinusoids, to half precision."""
    if name in state:
        table = state.take(name, None, d)
        if np.abs(table - sinusoidal_halves(len(table), d)).max(initial=0) > 1e-2:
            raise ValueError(f"{name} holds other positions than Marian's sinusoids.")


def _either(state: StateDict, name: str) -> str:
    """This name of a stack's own table, or that of the shared one if the stack has none."""
    return name if name in state else "model.shared.weight"


def _equal(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two tables are the same or have the same numbers."""
    return one is other or np.array_equal(one, other)


def _of_both(config: HubConfig, name: str) -> int:
    """A size that encoder and decoder have separately, and that must be equal here."""
    encoder, decoder = config.size(f"encoder_{name}"), config.size(f"decoder_{name}")
    if encoder != decoder:
        raise ValueError(
            f"The config's {name} are {encoder} in the encoder and {decoder} in the decoder; "
            "they are one number here."
        )
    return encoder
