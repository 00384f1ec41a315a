"""Folders of Hugging Face's models of one stack: ``config.json`` and ``model.safetensors``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from transformer_math.checkpoints import safetensors
from transformer_math.checkpoints.safetensors import CheckpointError
from transformer_math.config import Activation

CONFIG, WEIGHTS = "config.json", "model.safetensors"
LIMIT = 16 << 30  # bytes; far more than of an uploaded file, because it is a local one
ACTIVATIONS: dict[str, Activation] = {
    "relu": "relu",
    "gelu": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "swish": "silu",
    "silu": "silu",
    "tanh": "tanh",
    "linear": "identity",
}


def read_folder(
    files: str | PathLike[str] | Mapping[str, bytes], limit: int = LIMIT
) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The config and the arrays of a folder, or of its files, name -> content.

    Raises:
        FileNotFoundError: a file is missing in the folder.
        CheckpointError: one of the files is damaged, or missing among those given.
    """
    if not isinstance(files, Mapping):
        folder = Path(files)
        files = {name: (folder / name).read_bytes() for name in (CONFIG, WEIGHTS)}
    missing = [name for name in (CONFIG, WEIGHTS) if name not in files]
    if missing:
        raise CheckpointError(f"{' and '.join(missing)} of this model belongs to it, too.")
    try:
        config = json.loads(files[CONFIG])
    except (ValueError, RecursionError):
        config = None
    if not isinstance(config, dict):
        raise CheckpointError(f"{CONFIG} is no JSON object.")
    return config, safetensors.load(files[WEIGHTS], limit, with_whole=True)[0]


class HubConfig:
    """The settings of a ``config.json``, each checked when it is read."""

    def __init__(self, config: Mapping[str, Any], kind: str) -> None:
        """Check what the config is of.

        Raises:
            ValueError: it is of another kind of model.
        """
        self._config = config
        found = config.get("model_type")
        if found != kind:
            raise ValueError(f"The config is of the model type {found!r:.40}; read is {kind!r}.")

    def has(self, name: str) -> bool:
        """Whether a setting is there and not null."""
        return self._config.get(name) is not None

    def size(self, name: str, otherwise: int | None = None, least: int = 1) -> int:
        """A whole number.

        Raises:
            ValueError: it is missing without a default, or none.
        """
        value = self._config.get(name)
        if value is None and otherwise is not None:
            return otherwise
        if type(value) is not int or value < least:
            raise ValueError(f"The config's {name} is no whole number from {least}: {value!r:.40}.")
        return value

    def number(self, name: str, otherwise: float, below: float) -> float:
        """A number from 0 to below a limit, such as a dropout rate.

        Raises:
            ValueError: it is none.
        """
        value = self._config.get(name, otherwise)
        if type(value) not in (int, float) or not 0 <= value < below:
            raise ValueError(
                f"The config's {name} lies from 0 to below {below:g}, not {value!r:.40}."
            )
        return float(value)

    def flag(self, name: str, otherwise: bool) -> bool:
        """True or false.

        Raises:
            ValueError: it is neither.
        """
        value = self._config.get(name, otherwise)
        if not isinstance(value, bool):
            raise ValueError(f"The config's {name} is neither true nor false: {value!r:.40}.")
        return value

    def activation(self, name: str, otherwise: str) -> Activation:
        """An activation by the library's name.

        Raises:
            ValueError: it is not one that is known here.
        """
        value = self._config.get(name, otherwise)
        if not isinstance(value, str) or value not in ACTIVATIONS:
            known = ", ".join(ACTIVATIONS)
            raise ValueError(f"The activation {value!r:.40} is none of {known}.")
        return ACTIVATIONS[value]

    def refuse(self, name: str, usual: Any, what: str) -> None:
        """Refuse a setting that asks for what these models do not have.

        Raises:
            ValueError: the setting is there and not as usual.
        """
        if self._config.get(name, usual) not in (usual, None):
            raise ValueError(f"The config asks for {what} ({name}), which is not computed here.")
