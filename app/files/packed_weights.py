"""The numbers of a trained model as text, for what a tab keeps."""

from __future__ import annotations

import base64
import binascii
from typing import Any

import numpy as np

from ..scenario.limits import MAX_VALUE
from ..scenario.scenario import Scenario
from ..scenario.weights import Weights
from .model_metadata import check_values

MAX_NUMBERS = 100_000  # more are trained again: half a megabyte is sent after every change
_DTYPE = np.dtype("<f4")


def packed(scenario: Scenario) -> str | None:
    """All parameters in the order of a forward pass, in base 64.

    None if they are too many, or some are too large to be read again.
    """
    weights = scenario.weights
    if weights is None or scenario.learned_config.parameter_count() > MAX_NUMBERS:
        return None
    shapes = scenario.learned_config.parameter_shapes()
    numbers = np.concatenate([weights.arrays[path].ravel() for path in shapes])
    if np.abs(numbers).max() > MAX_VALUE:
        return None
    return base64.b64encode(numbers.astype(_DTYPE).tobytes()).decode()


def unpacked(scenario: Scenario, raw: Any) -> Weights:
    """The weights of a scenario that has a vocabulary of its own.

    Raises:
        ValueError: they are not those of its model; one sentence.
    """
    own = scenario.own_vocabulary
    if own is None or scenario.data is None:
        raise ValueError("this model is not trained here")
    shapes = scenario.learned_config.parameter_shapes()
    sizes = [int(np.prod(shape)) for shape in shapes.values()]
    try:
        numbers = base64.b64decode(raw if isinstance(raw, str) else "", validate=True)
    except (ValueError, binascii.Error):
        numbers = b""
    if len(numbers) != sum(sizes) * _DTYPE.itemsize:
        raise ValueError("they are not as many as the model has")
    found = np.frombuffer(numbers, _DTYPE).astype(np.float32)
    if not np.isfinite(found).all():
        raise ValueError("not all of them are finite")
    parts = np.split(found, np.cumsum(sizes)[:-1])
    arrays = {
        path: part.reshape(shape) for (path, shape), part in zip(shapes.items(), parts, strict=True)
    }
    check_values(arrays)
    return Weights(arrays, own.source, own.target, "trained here")
