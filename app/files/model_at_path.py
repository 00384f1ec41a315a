"""Builds the scenario of a model from a file, a folder or arrays."""

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from transformer_math import Config, Transformer
from transformer_math.checkpoints import own_file
from transformer_math.checkpoints.given_files import GivenFiles

from ..model.inference.forward_pass import ForwardPassRunner
from ..model.inference.writing import with_written_target
from ..model.scenario.model_names import FILE, NAMES
from ..model.scenario.scenario import Scenario
from ..model.scenario.vocabulary import Side, Vocabulary
from ..model.scenario.weights import Weights
from . import trained_model
from .given_vocabulary import SHOWN_FIRST, vocabulary_of
from .open_model import opened

IDS = ("0", "1")  # the first tokens of a model whose tokens are ids


def of_path(path: Path, vocabulary: Any, settings: dict[str, Any]) -> Scenario:
    """Return the scenario of the model in a file or a folder; see ``open_model``.

    ``settings`` has values that the file lacks: ``names``, ``heads`` and other fields of
    ``Config``. Raise ``TypeError`` for other names, ``ValueError`` if the model cannot be read.
    """
    if not path.exists():
        raise ValueError(
            f"There is no file, folder or model called {str(path)[:80]!r}; "
            f"the page's own models are {', '.join(NAMES)}."
        )
    names = settings.pop("names", None)
    only_of_config(settings)
    given = GivenFiles(path)
    if own_file.has_no_words(given):
        model = Transformer.load(path, **settings)
        return of_arrays(model.config, dict(model.parameters), vocabulary, path.name)
    scenario = opened(path, Scenario(), limit=None, names=names, **settings)
    if vocabulary is None:
        return scenario
    if scenario.weights is None or scenario.source_vocabulary[:2] != IDS:
        raise ValueError("This model has a vocabulary of its own; leave yours out.")
    weights = scenario.weights
    return of_arrays(scenario.config, dict(weights.arrays), vocabulary, path.name, weights.other)


def of_arrays(
    config: Config,
    arrays: dict[str, np.ndarray],
    vocabulary: Any,
    name: str,
    other: tuple[str, ...] = (),
) -> Scenario:
    """Return the scenario of a model given as arrays; its text consists of the first tokens."""
    for path, array in arrays.items():
        if not np.isfinite(array).all():
            raise ValueError(f"{path} holds numbers that are NaN or infinite.")
    own = vocabulary_of(vocabulary, config)
    weights = Weights(arrays, own.source, own.target, name, other)
    first = _first(own, "source"), _first(own, "target")
    return trained_model.opened(config, weights, own, Scenario(), first)


def begun(scenario: Scenario) -> Scenario:
    """Generate the target of a scenario; a model from a file is set to write its target itself."""
    if scenario.model == FILE and scenario.can_write:
        scenario = scenario.with_writing(True)
    return with_written_target(scenario, ForwardPassRunner())


def _first(own: Vocabulary, side: Side) -> tuple[str, ...]:
    if side == "target" and own.start is not None:
        return (own.start,)
    return own.tokens(side)[:SHOWN_FIRST]


def only_of_config(settings: Mapping[str, Any]) -> None:
    """Raise ``TypeError`` if a setting is not a field of ``Config``."""
    known = {field.name for field in dataclasses.fields(Config)}
    wrong = next((name for name in settings if name not in known), None)
    if wrong is not None:
        raise TypeError(f"{wrong} is no setting of a model.")
