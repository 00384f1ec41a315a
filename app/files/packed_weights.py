"""Packs the weights of a trained model, and its optimizer moments, as text for a browser tab."""

import base64
import functools
import math
from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from transformer_math import Config

from ..model.scenario.limits import MAX_VALUE
from ..model.scenario.moments import Moments
from ..model.scenario.scenario import Scenario
from ..model.scenario.weights import Weights
from .model_metadata import check_values

_DTYPE = np.dtype("<f4")

# Cached, because a partly trained model is packed after every edit; its moments are twice as large
# as its weights.
_known_moments: WeakKeyDictionary[Moments, str] = WeakKeyDictionary()


def packed(scenario: Scenario, most: int) -> str | None:
    """Return all parameters in the order of a forward pass, as base64.

    Return None for more than ``most`` parameters, or if a number is too large for `unpacked`.
    """
    weights, config = scenario.weights, _config(scenario)
    if weights is None or config.parameter_count() > most:
        return None
    if scenario.own_vocabulary is None:
        weights = _of_text(scenario, weights)
    return _packed(weights, tuple(config.parameter_shapes()))


def _config(scenario: Scenario) -> Config:
    """Return the configuration for the model's own words, or else for the words of the text."""
    return scenario.config if scenario.own_vocabulary is None else scenario.learned_config


def _of_text(scenario: Scenario, weights: Weights) -> Weights:
    """Return the weights with a row for each word of the text."""
    known = scenario.vocabulary
    rows = known.source, known.target
    arrays = weights.parameters(scenario.config, scenario.settings.seed, *rows)
    return Weights(arrays, *rows, weights.name)


@functools.lru_cache(maxsize=8)  # called after every edit
def _packed(weights: Weights, paths: tuple[str, ...]) -> str | None:
    numbers = np.concatenate([weights.arrays[path].ravel() for path in paths])
    if np.abs(numbers).max() > MAX_VALUE:
        return None
    return _text(numbers)


def packed_moments(moments: Moments) -> str:
    """Return both optimizer moments as base64, each in the order of the parameters."""
    known = _known_moments.get(moments)
    if known is None:
        shapes = moments.scenario.learned_config.parameter_shapes()
        means = [mean[path].ravel() for mean in (moments.m, moments.v) for path in shapes]
        known = _known_moments[moments] = _text(np.concatenate(means))
    return known


def unpacked_moments(scenario: Scenario, raw: Any) -> Moments:
    """Unpack the optimizer moments with which a scenario's training continues.

    Raise ``ValueError`` if the scenario has no trained weights, or the moments do not fit them.
    """
    if scenario.weights is None or scenario.data is None:
        raise ValueError("there are no weights that they belong to")
    shapes = scenario.learned_config.parameter_shapes()
    numbers = _numbers(raw, 2 * sum(map(math.prod, shapes.values())))
    m, v = (_arrays(half, shapes) for half in np.split(numbers, 2))
    if any((mean < 0).any() for mean in v.values()):
        raise ValueError("a mean of squares is below 0")
    return Moments(scenario, m, v)


def unpacked(scenario: Scenario, raw: Any) -> Weights:
    """Unpack the weights of a scenario that was trained, or has taken gradient steps, on the page.

    Raise ``ValueError`` with one sentence if they do not fit the scenario's model.
    """
    if scenario.data is None and not scenario.descents:
        raise ValueError("this model is not trained here")
    known = scenario.own_vocabulary or scenario.vocabulary
    shapes = _config(scenario).parameter_shapes()
    arrays = _arrays(_numbers(raw, sum(map(math.prod, shapes.values()))), shapes)
    check_values(arrays)
    return Weights(arrays, known.source, known.target, "trained here")


def _text(numbers: np.ndarray) -> str:
    return base64.b64encode(numbers.astype(_DTYPE).tobytes()).decode()


def _numbers(raw: Any, count: int) -> np.ndarray:
    """Decode a fixed number of finite values; ``ValueError`` if the text is not valid."""
    size = count * _DTYPE.itemsize
    try:
        if not isinstance(raw, str) or len(raw) != 4 * -(-size // 3):
            raise ValueError
        data = base64.b64decode(raw, validate=True)
        if len(data) != size:
            raise ValueError
    except ValueError:
        raise ValueError("they are not as many as the model has") from None
    found = np.frombuffer(data, _DTYPE).astype(np.float32)
    if not np.isfinite(found).all():
        raise ValueError("not all of them are finite")
    return found


def _arrays(numbers: np.ndarray, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, np.ndarray]:
    parts = np.split(numbers, np.cumsum([math.prod(shape) for shape in shapes.values()])[:-1])
    return {
        path: part.reshape(shape) for (path, shape), part in zip(shapes.items(), parts, strict=True)
    }
