"""Reads settings from files besides the arrays: ``config.json``, metadata and checkpoints."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from transformer_math.checkpoints.layouts.layout import Layout
from transformer_math.config import CHOICES, DropoutRates


class _Known(NamedTuple):
    """A name in ``config.json``: the resulting settings of ``Config``, and their check."""

    settings: tuple[str, ...]
    check: Callable[[str, Any], Any]


def _size(name: str, value: Any, least: int = 1) -> int:
    if type(value) is not int or value < least:
        raise ValueError(f"The config's {name} is no whole number from {least}: {value!r:.40}.")
    return value


def _id(name: str, value: Any) -> int:
    return _size(name, value, 0)


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"The config's {name} is neither true nor false: {value!r:.40}.")
    return value


def _fraction(name: str, value: Any) -> float:
    if type(value) not in (int, float) or not 0 <= value < 1:
        raise ValueError(f"The config's {name} lies from 0 to below 1, not {value!r:.40}.")
    return float(value)


_ACTIVATIONS = {
    "relu": "relu",
    "gelu": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "swish": "silu",
    "silu": "silu",
    "tanh": "tanh",
    "linear": "identity",
}


def _activation(_: str, value: Any) -> str:
    if not isinstance(value, str) or value not in _ACTIVATIONS:
        known = ", ".join(_ACTIVATIONS)
        raise ValueError(f"The activation {value!r:.40} is none of {known}.")
    return _ACTIVATIONS[value]


def _scale(name: str, value: Any) -> str:
    return "d_k" if _flag(name, value) else "none"


# Sites of dropout are settings with a dot; "layers" is the number of layers of the only stack.
_SUBLAYERS = ("dropout.attention_output", "dropout.feed_forward_output")
_STREAM = ("dropout.embedding", *_SUBLAYERS)
_HUB = {
    **dict.fromkeys(("d_model", "hidden_size", "n_embd"), _Known(("d_model",), _size)),
    **dict.fromkeys(
        ("num_attention_heads", "n_head", "encoder_attention_heads", "decoder_attention_heads"),
        _Known(("heads",), _size),
    ),
    **dict.fromkeys(
        ("intermediate_size", "n_inner", "encoder_ffn_dim", "decoder_ffn_dim"),
        _Known(("d_ff",), _size),
    ),
    **dict.fromkeys(("num_hidden_layers", "n_layer"), _Known(("layers",), _size)),
    "encoder_layers": _Known(("encoder_layers",), _size),
    "decoder_layers": _Known(("decoder_layers",), _size),
    "vocab_size": _Known(("source_vocabulary",), _size),
    "decoder_vocab_size": _Known(("target_vocabulary",), _size),
    **dict.fromkeys(("n_positions", "max_position_embeddings"), _Known(("max_positions",), _size)),
    **dict.fromkeys(("hidden_act", "activation_function"), _Known(("activation",), _activation)),
    **dict.fromkeys(("layer_norm_eps", "layer_norm_epsilon"), _Known(("epsilon",), _fraction)),
    "scale_embedding": _Known(("embedding_scale",), _flag),
    "scale_attn_weights": _Known(("attention_scale",), _scale),
    "pad_token_id": _Known(("source_pad",), _id),
    "embd_pdrop": _Known(("dropout.embedding",), _fraction),
    "resid_pdrop": _Known(_SUBLAYERS, _fraction),
    **dict.fromkeys(("dropout", "hidden_dropout_prob"), _Known(_STREAM, _fraction)),
    **dict.fromkeys(
        ("attn_pdrop", "attention_dropout", "attention_probs_dropout_prob"),
        _Known(("dropout.attention_weights",), _fraction),
    ),
    "activation_dropout": _Known(("dropout.activation",), _fraction),
}


def of_config_json(
    layout: Layout, raw: Mapping[str, Any], shown: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the settings of ``Config`` that a ``config.json`` of Hugging Face has.

    Args:
        layout: the family.
        raw: the content of the file.
        shown: the settings that the shapes of the arrays show.

    Raises:
        ValueError: a setting is not valid, contradicts another setting, or requires an unsupported
            feature.
    """
    for name, what in layout.refused.items():
        usual, asked = what if isinstance(what, tuple) else (False, what)
        if raw.get(name, usual) not in (usual, None):
            raise ValueError(f"The config asks for {asked} ({name}), which is not computed here.")
    found: dict[str, Any] = {}
    by: dict[str, str] = {}
    for name, known in _HUB.items():
        if raw.get(name) is None:
            continue
        value = known.check(name, raw[name])
        for setting in known.settings:
            if found.setdefault(setting, value) != value:
                raise ValueError(
                    f"The config's {by[setting]} is {found[setting]} and its {name} is {value}; "
                    "they are one number here."
                )
            by.setdefault(setting, name)
    return _of_stacks(found, shown)


def _of_stacks(found: dict[str, Any], shown: Mapping[str, Any]) -> dict[str, Any]:
    """Convert the library's settings to those of ``Config``, for the stacks of a state."""
    rates = {name.partition(".")[2]: found.pop(name) for name in list(found) if "." in name}
    stacks = [side for side in ("encoder", "decoder") if shown[f"{side}_layers"]]
    layers = found.pop("layers", None)
    if layers is not None and len(stacks) == 1:
        found[f"{stacks[0]}_layers"] = layers
    if "encoder" not in stacks:
        found.pop("source_pad", None)
    if "source_vocabulary" in found:
        found.setdefault("target_vocabulary", found["source_vocabulary"])
    if shown.get("positions") != "learned":
        found.pop("max_positions", None)
    return {**found, "dropout": DropoutRates(**rates)} if rates else found


# Name in another library -> setting of ``Config`` and the types allowed.
_COMMON: dict[str, tuple[str, tuple[type, ...]]] = {
    **dict.fromkeys(
        ("heads", "nhead", "n_head", "n_heads", "num_heads", "num_attention_heads"),
        ("heads", (int,)),
    ),
    "activation": ("activation", (str,)),
    "layer_norm_eps": ("epsilon", (float, int)),
}
_OF_METADATA = {
    **_COMMON,
    "norm": ("norm", (str,)),
    "positions": ("positions", (str,)),
    "embedding_scale": ("embedding_scale", (bool,)),
    "attention_scale": ("attention_scale", (str,)),
    "causal_mask": ("causal_mask", (bool,)),
    "epsilon": ("epsilon", (float, int)),
    "source_pad": ("source_pad", (int, type(None))),
    "target_pad": ("target_pad", (int, type(None))),
    "dtype": ("dtype", (str,)),
}


def of_metadata(metadata: Mapping[str, str]) -> dict[str, Any]:
    """Return the settings in a safetensors file's metadata: ``heads``, or ``config`` as JSON.

    Raises:
        ValueError: they cannot be read.
    """
    try:
        config = json.loads(metadata.get("config", "{}"))
        heads = json.loads(metadata.get("heads", "null"))
    except (ValueError, RecursionError):
        config = heads = None
    if not isinstance(config, dict):
        raise ValueError("What the file tells of its config cannot be read.")
    found: dict[str, Any] = {}
    for theirs, (ours, kinds) in _OF_METADATA.items():
        if theirs in config:
            found[ours] = _typed(theirs, config[theirs], kinds)
    if "norm_first" in config:
        found["norm"] = "pre" if _typed("norm_first", config["norm_first"], (bool,)) else "post"
    if heads is not None:
        found["heads"] = _typed("heads", heads, (int,))
    return found


def _typed(name: str, value: Any, kinds: tuple[type, ...]) -> Any:
    """Return the value, if it has one of these types."""
    if type(value) not in kinds:
        raise ValueError(f"The file's {name} cannot be {value!r:.40}.")
    return value


def of_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings among a checkpoint's plain values, such as ``model_args`` of nanoGPT.

    The file also has settings of the training, so only well-known names count, and only if all
    values of a setting are equal and valid.
    """
    found: dict[str, set[Any]] = {}
    for name, value in _named(values, 0):
        if name == "norm_first" and isinstance(value, bool):
            found.setdefault("norm", set()).add("pre" if value else "post")
        ours, kinds = _COMMON.get(name, ("", ()))
        if type(value) in kinds and value and value in CHOICES.get(ours, (value,)):
            found.setdefault(ours, set()).add(value)
    return {ours: these.pop() for ours, these in found.items() if len(these) == 1}


def _named(values: Mapping[Any, Any], depth: int) -> Iterator[tuple[str, Any]]:
    """Yield names and values, including those in nested dicts."""
    for name, value in values.items():
        if isinstance(value, Mapping) and depth < 3:
            yield from _named(value, depth + 1)
        elif isinstance(name, str):
            yield name.rpartition(".")[2], value
