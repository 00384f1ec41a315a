"""The project's own model file: safetensors with the config in its metadata.

The names of the tensors are the parameters' paths. The metadata has ``format``, ``version`` and
``config``, a JSON object with the fields of ``Config``. The page exports the same kind of file.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from transformer_math.checkpoints import safetensors
from transformer_math.checkpoints.given_files import GivenFiles
from transformer_math.checkpoints.safetensors import CheckpointError
from transformer_math.checkpoints.state import ReadState
from transformer_math.checkpoints.torch_archive import LIMIT
from transformer_math.checkpoints.whole_file import write_whole
from transformer_math.config import Config

NAME = "model.safetensors"
_TABLES = {"source.W_e", "target.W_e"}


def save(where: str | PathLike[str], config: Config, parameters: Mapping[str, np.ndarray]) -> Path:
    """Write a model to a file.

    Args:
        where: the file, if the name ends in ``.safetensors``; else a folder for it.
        config: the model's settings.
        parameters: path -> array.

    Returns:
        The file.

    Raises:
        NotWritten: the file could not be written; an existing file is unchanged.
    """
    path = Path(where)
    if path.suffix != ".safetensors":
        path.mkdir(parents=True, exist_ok=True)
        path /= NAME
    about = {"format": "tinkerformer", "version": "1", "config": json.dumps(config.as_dict())}
    write_whole({path: safetensors.save(parameters, about, LIMIT)})
    return path


def has_no_words(given: GivenFiles) -> bool:
    """Return whether a file is of this kind, but has no vocabulary (unlike files of the page).

    Raises:
        CheckpointError: there are no weights, or the file is damaged.
    """
    name = given.weight_name()
    if given.kind(name) != "safetensors":
        return False
    about = safetensors.metadata(given.read(name, given.limit))
    is_own = about.get("format") == "tinkerformer" and "config" in about
    return is_own and not {"closed", "source_vocabulary", "source"} & set(about)


def is_own(names: Iterable[str], metadata: Mapping[str, str]) -> bool:
    """Return whether a safetensors file is of this kind, by its arrays and its metadata."""
    return metadata.get("format") == "tinkerformer" or bool(_TABLES & set(names))


def read(
    arrays: Mapping[str, np.ndarray], metadata: Mapping[str, str], settings: Mapping[str, Any]
) -> ReadState:
    """Return the model in a file of this kind.

    Args:
        arrays: path -> array.
        metadata: the metadata of the file.
        settings: settings of ``Config`` that replace those of the file.

    Raises:
        CheckpointError: the file has no config, or a config that does not fit the arrays.
    """
    try:
        told = json.loads(metadata.get("config", "null"))
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        raise CheckpointError("The file has no config, so that it is no model of Tinkerformer's.")
    try:
        config = dataclasses.replace(Config.from_dict(told), **settings)
    except (TypeError, ValueError) as error:
        raise CheckpointError(f"The config of the file cannot be used: {error}") from None
    # Checked before memory is allocated for the number of layers in the config.
    if config.encoder_layers + config.decoder_layers > len(arrays):
        raise CheckpointError("The file has fewer arrays than its model has layers.")
    return ReadState(config, dict(arrays), "Tinkerformer", {}, [])
