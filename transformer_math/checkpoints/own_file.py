"""The project's own model file: safetensors with the config in its metadata.

The names of the tensors are the parameters' paths. The metadata has ``format``, ``version`` and
``config``, a JSON object with the fields of ``Config``. The page exports the same kind of file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from os import PathLike
from pathlib import Path

import numpy as np

from transformer_math.checkpoints import safetensors
from transformer_math.checkpoints.safetensors import CheckpointError
from transformer_math.checkpoints.state_dict import kind_of_state
from transformer_math.checkpoints.whole_file import write_whole
from transformer_math.config import Config

NAME = "model.safetensors"
LIMIT = 16 << 30  # bytes; far more than of an uploaded file, because it is a local one


def save(where: str | PathLike[str], config: Config, parameters: Mapping[str, np.ndarray]) -> Path:
    """Write a model to a file.

    Args:
        where: the file, if the name ends in ``.safetensors``; else a folder for it.
        config: the model's settings.
        parameters: path -> array.

    Returns:
        The file.

    Raises:
        NotWritten: the file could not be written; an existing one is unchanged.
    """
    path = Path(where)
    if path.suffix != ".safetensors":
        path.mkdir(parents=True, exist_ok=True)
        path /= NAME
    about = {"format": "tinkerformer", "version": "1", "config": json.dumps(config.as_dict())}
    write_whole({path: safetensors.save(parameters, about, LIMIT)})
    return path


def has_no_words(data: bytes) -> bool:
    """Whether a file is of this kind but has no vocabulary, which files of the page have."""
    about = safetensors.metadata(data)
    return "config" in about and not {"closed", "source_vocabulary", "source"} & set(about)


def load(where: str | PathLike[str]) -> tuple[Config, dict[str, np.ndarray]]:
    """The config and the parameters, path -> array, of a file or of the file in a folder.

    Raises:
        FileNotFoundError: there is no such file.
        CheckpointError: the file is damaged or of another kind.
    """
    path = Path(where)
    if path.is_dir():
        path /= NAME
    arrays, about = safetensors.load(path.read_bytes(), LIMIT)
    try:
        settings = json.loads(about.get("config", "null"))
    except (ValueError, RecursionError):
        settings = None
    kind = kind_of_state(arrays)
    if kind not in ("tinkerformer", None):
        raise CheckpointError(f"{path.name} has another library's names: Transformer.from_{kind}.")
    if not isinstance(settings, dict):
        raise CheckpointError(f"{path.name} tells no config, so that it is no model of this kind.")
    try:
        config = Config.from_dict(settings)
    except (TypeError, ValueError) as error:
        raise CheckpointError(f"The config in {path.name} cannot be used: {error}") from None
    # Checked before memory is allocated for as many layers as the config says.
    if config.encoder_layers + config.decoder_layers > len(arrays):
        raise CheckpointError(f"{path.name} has fewer arrays than its model has layers.")
    return config, arrays
