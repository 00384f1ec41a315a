"""A model as a safetensors file with its config inside, or a folder with that one file.

The file has every parameter under its path, and under ``__metadata__`` ``format`` and ``config``, a
JSON object with the fields of ``Config``. Files that the page exports are of the same kind.
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
LIMIT = 16 << 30  # bytes; a file of one's own, on one's own machine


def save(where: str | PathLike[str], config: Config, parameters: Mapping[str, np.ndarray]) -> Path:
    """Write the file: to ``where`` itself if that ends in ``.safetensors``, else into that folder.

    Returns:
        the file.

    Raises:
        NotWritten: it could not be written, to a full disk perhaps; what was there is as it was.
    """
    path = Path(where)
    if path.suffix != ".safetensors":
        path.mkdir(parents=True, exist_ok=True)
        path /= NAME
    about = {"format": "tinkerformer", "version": "1", "config": json.dumps(config.as_dict())}
    write_whole({path: safetensors.save(parameters, about, LIMIT)})
    return path


def has_no_words(data: bytes) -> bool:
    """Whether a file is one of these and says nothing of a vocabulary, as the page's files do."""
    about = safetensors.metadata(data)
    return "config" in about and not {"closed", "source_vocabulary", "source"} & set(about)


def load(where: str | PathLike[str]) -> tuple[Config, dict[str, np.ndarray]]:
    """The config and the parameters by path, out of a file or out of its folder.

    Raises:
        FileNotFoundError: there is no such file.
        CheckpointError: it is damaged, or of something else.
    """
    path = Path(where)
    if path.is_dir():
        path /= NAME
    arrays, about = safetensors.load(path.read_bytes(), LIMIT)
    try:
        told = json.loads(about.get("config", "null"))
    except (ValueError, RecursionError):
        told = None
    kind = kind_of_state(arrays)
    if kind in ("torch", "marian"):
        reader = "from_torch" if kind == "torch" else "from_marian"
        raise CheckpointError(f"{path.name} has another library's names: Transformer.{reader}.")
    if not isinstance(told, dict):
        raise CheckpointError(f"{path.name} tells no config, so that it is no model of this kind.")
    try:
        config = Config.from_dict(told)
    except (TypeError, ValueError) as error:
        raise CheckpointError(f"The config in {path.name} cannot be used: {error}") from None
    # Checked before anything is allocated in the number that the config claims.
    if config.encoder_layers + config.decoder_layers > len(arrays):
        raise CheckpointError(f"{path.name} has fewer arrays than its model has layers.")
    return config, arrays
