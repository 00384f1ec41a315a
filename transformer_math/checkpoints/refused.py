"""Refuses models whose mathematics Tinkerformer does not support, with the reason."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

# Name in ``config.json`` -> the unsupported feature of a model with this name.
_BY_NAME = {
    "relative_attention_num_buckets": "relative positions",
    "rope_theta": "rotary positions",
    "rope_parameters": "rotary positions",
    "rope_scaling": "rotary positions",
    "rotary_pct": "rotary positions",
    "rotary_dim": "rotary positions",
    "rotary_emb_base": "rotary positions",
    "alibi": "positions as biases of the scores (ALiBi)",
    "rms_norm_eps": "norms without a mean (RMS norm)",
    "num_local_experts": "experts that a router chooses",
    "num_experts": "experts that a router chooses",
    "relative_attention": "relative positions",
    "max_relative_positions": "relative positions",
    "image_size": "images",
    "num_mel_bins": "spectrograms",
    "state_size": "a state space",
}
# ``model_type`` in ``config.json`` -> the unsupported feature.
_BY_TYPE = {
    "bloom": "positions as biases of the scores (ALiBi)",
    "mpt": "positions as biases of the scores (ALiBi)",
    **dict.fromkeys(
        ("llama", "mistral", "mixtral", "qwen2", "qwen3", "gemma", "gemma2", "phi", "phi3"),
        "rotary positions",
    ),
    **dict.fromkeys(("gptj", "gpt_neox", "falcon", "stablelm", "olmo"), "rotary positions"),
    **dict.fromkeys(("t5", "mt5", "umt5", "longt5", "deberta", "deberta-v2"), "relative positions"),
    "albert": "layers that share one set of weights",
    "xlnet": "relative positions",
    "transfo-xl": "relative positions",
}
# Pattern of a name in a state -> the model, and its unsupported feature.
_BY_ARRAY = {
    r".*relative_attention_bias\.weight|.*\.SelfAttention\.q\.weight": (
        "T5",
        "relative positions",
    ),
    r".*\.mlp\.gate_proj\.weight": ("Llama", "rotary positions"),
    r".*\.feed_forward\.w3\.weight": ("Llama", "rotary positions"),
    r".*\.attention\.query_key_value\.weight": ("GPT-NeoX", "rotary positions"),
    r".*\.self_attention\.query_key_value\.weight": (
        "Bloom",
        "positions as biases of the scores (ALiBi)",
    ),
    r".*rotary_emb\.inv_freq|.*\.rope\.freqs": ("with rotations", "rotary positions"),
    r".*\.relative_position_bias_table": ("Swin", "relative positions"),
    r".*\.weight_ih_l0": ("a recurrent network", "a state from step to step"),
    r".*\.lora_A(\..*)?": ("LoRA", "an adapter without the model that it changes"),
    r".*\.(patch_embeddings?|patch_embed)\..*": ("a vision Transformer", "images"),
}


def check(config_json: Mapping[str, Any] | None, arrays: Mapping[str, np.ndarray]) -> None:
    """Check that a model is not of a kind that is known to be unsupported.

    Args:
        config_json: the content of Hugging Face's ``config.json``, if there is one.
        arrays: the state.

    Raises:
        ValueError: the model is unsupported; the message has its kind and the reason.
    """
    name, reasons = "", list(_of_config(config_json or {}))
    for pattern, (model, reason) in _BY_ARRAY.items():
        if any(re.fullmatch(pattern, each) for each in arrays):
            name = name or model
            reasons.append(reason)
    if any(_groups(arrays)):
        reasons.append("grouped queries")
    if not reasons:
        return
    kind = (config_json or {}).get("model_type") or name or "another"
    listed = list(dict.fromkeys(reasons))
    ends = " and ".join(filter(None, [", ".join(listed[:-1]), listed[-1]]))
    raise ValueError(f"This model ({kind!s:.40}) has {ends}, which Tinkerformer does not compute.")


def _of_config(raw: Mapping[str, Any]) -> Iterator[str]:
    """Yield the unsupported features that the settings of a model require."""
    for name, what in _BY_NAME.items():
        if raw.get(name) not in (None, False):
            yield what
    kind = raw.get("model_type")
    if isinstance(kind, str) and kind in _BY_TYPE:
        yield _BY_TYPE[kind]
    heads, groups = raw.get("num_attention_heads"), raw.get("num_key_value_heads")
    if groups is not None and groups != heads:
        yield "grouped queries"


def _groups(arrays: Mapping[str, np.ndarray]) -> Iterator[bool]:
    """Yield whether keys differ from queries in shape, for each attention with Llama's names."""
    for name, array in arrays.items():
        if name.endswith(".q_proj.weight"):
            keys = arrays.get(name.replace(".q_proj.", ".k_proj."))
            yield keys is not None and keys.shape != array.shape
