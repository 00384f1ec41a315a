"""Safetensors files of ``torch.nn.Transformer``, with settings in their metadata."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from transformer_math.checkpoints import safetensors, torch
from transformer_math.config import Config

# Name in the metadata -> setting of ``Config`` and the types allowed, for what no shape shows.
_SETTINGS: dict[str, tuple[str, tuple[type, ...]]] = {
    "nhead": ("heads", (int,)),
    "heads": ("heads", (int,)),
    "norm": ("norm", (str,)),
    "activation": ("activation", (str,)),
    "positions": ("positions", (str,)),
    "embedding_scale": ("embedding_scale", (bool,)),
    "attention_scale": ("attention_scale", (str,)),
    "layer_norm_eps": ("epsilon", (float, int)),
    "epsilon": ("epsilon", (float, int)),
    "source_pad": ("source_pad", (int, type(None))),
    "target_pad": ("target_pad", (int, type(None))),
    "dtype": ("dtype", (str,)),
}


def from_torch_file(
    data: bytes, heads: int | None = None, limit: int = safetensors.MAX_BYTES, **settings: Any
) -> tuple[Config, dict[str, np.ndarray]]:
    """The config and the parameters, path -> array, of a file.

    Args:
        data: the content of the file. Its metadata may have ``heads``, or ``config``, a JSON object
            with names of ``Config`` or of the arguments of ``torch.nn.Transformer``.
        heads: the number of heads; by default that of the metadata.
        limit: the largest size in bytes.
        settings: settings of ``Config``, which take precedence over those of the metadata.

    Raises:
        ValueError: the file is damaged, the number of heads is not given, or something does not
            fit.
    """
    arrays, metadata = safetensors.load(data, limit)
    named = described_by(metadata) | settings
    found = named.pop("heads", None) if heads is None else heads
    named.pop("heads", None)
    if found is None:
        raise ValueError("How many heads the model has, neither the file nor the caller tells.")
    return torch.from_torch(arrays, torch.config_of(arrays, found, **named))


def described_by(metadata: Mapping[str, str]) -> dict[str, Any]:
    """The settings of ``Config`` in a file's metadata.

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
    for theirs, (ours, kinds) in _SETTINGS.items():
        if theirs in config:
            found[ours] = _checked(theirs, config[theirs], kinds)
    if "norm_first" in config:
        found["norm"] = "pre" if _checked("norm_first", config["norm_first"], (bool,)) else "post"
    if heads is not None:
        found["heads"] = _checked("heads", heads, (int,))
    return found


def _checked(name: str, value: Any, kinds: tuple[type, ...]) -> Any:
    """The value, if it has one of these types."""
    if type(value) not in kinds:
        raise ValueError(f"The file's {name} cannot be {value!r:.40}.")
    return value
