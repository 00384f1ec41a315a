"""Training runs as safetensors files, with all data for the next steps except the pairs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from transformer_math.checkpoints import safetensors
from transformer_math.checkpoints.safetensors import CheckpointError
from transformer_math.config import Config
from transformer_math.training.recipe import Recipe

# Renamed field of the recipe -> its earlier name, which files keep.
_FIELDS = {"peak_learning_rate": "peak"}
_NAMES = {theirs: ours for ours, theirs in _FIELDS.items()}


class SavedRun(NamedTuple):
    """A training run between two steps.

    Attributes:
        config: the model's settings.
        recipe: the settings of training.
        step: the number of steps taken.
        parameters: path -> array.
        m: path -> Adam's running mean of the gradient.
        v: path -> Adam's running mean of the squared gradient.
    """

    config: Config
    recipe: Recipe
    step: int
    parameters: Mapping[str, np.ndarray]
    m: Mapping[str, np.ndarray]
    v: Mapping[str, np.ndarray]


def save_run(run: SavedRun) -> bytes:
    """Return the bytes of the file.

    Raises:
        CheckpointError: the arrays are too large for a safetensors file.
    """
    arrays = {
        f"{group}/{path}": array
        for group in ("parameters", "m", "v")
        for path, array in getattr(run, group).items()
    }
    about = {
        "config": json.dumps(run.config.as_dict()),
        "recipe": json.dumps({_FIELDS.get(k, k): v for k, v in run.recipe.as_dict().items()}),
        "step": str(run.step),
    }
    return safetensors.save(arrays, about)


def load_run(data: bytes) -> SavedRun:
    """Return the run in a file; the shapes of its parameters are not checked.

    Raises:
        CheckpointError: the file is damaged or not a training run.
    """
    arrays, about = safetensors.load(data)
    try:
        config = Config.from_dict(json.loads(about["config"]))
        recipe = Recipe(**{_NAMES.get(k, k): v for k, v in json.loads(about["recipe"]).items()})
        step = int(about["step"])
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
        raise CheckpointError("The file holds no training run.") from None
    groups: dict[str, dict[str, np.ndarray]] = {"parameters": {}, "m": {}, "v": {}}
    for name, array in arrays.items():
        group, _, path = name.partition("/")
        if group not in groups:
            raise CheckpointError(f"A training run has no array called {name}.")
        if array.dtype != config.dtype:
            raise CheckpointError(f"{name} is of {array.dtype}, the model of {config.dtype}.")
        groups[group][path] = array
    if not groups["parameters"].keys() == groups["m"].keys() == groups["v"].keys():
        raise CheckpointError("The file lacks one of Adam's means, or the parameter of one.")
    # Checked before memory is allocated for the number of layers in the config.
    if config.encoder_layers + config.decoder_layers > len(arrays):
        raise CheckpointError("The file has fewer arrays than its model has layers.")
    return SavedRun(config, recipe, step, **groups)
