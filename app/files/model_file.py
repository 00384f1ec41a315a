"""Saves a model as a safetensors file, and loads it into a scenario.

The file has the format of ``transformer_math.checkpoint``: every parameter under its path, and text
fields under ``__metadata__``. All fields but the first three are JSON:

- ``format``: ``tinkerformer``; ``version``: ``1``; ``seed``: a whole number
- ``config``: every field of ``Config``
- ``source_vocabulary``, ``target_vocabulary``: the token of each row of the embedding tables
- ``source``, ``target``: the initial tokens
- ``closed``: an object, only for a trained model with its own vocabulary: ``start``, ``end`` and
  ``pad``, each a token or null; ``never``, the tokens that it never writes; ``unit``, ``character``
  or ``word``; and ``closed``, whether other tokens are refused, if not the default of ``unit``

A model with ``closed`` keeps its sizes when it is opened, even beyond the settings' limits; its
padding is ``pad``, regardless of the config.
"""

import dataclasses
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from transformer_math import Config, Trace
from transformer_math.checkpoints import safetensors

from ..model.scenario.edits import NO_EDITS
from ..model.scenario.locked_sizes import LockedSizes
from ..model.scenario.model_names import FILE, SANDBOX
from ..model.scenario.model_settings import ModelSettings
from ..model.scenario.scenario import Scenario
from ..model.scenario.vocabulary import Vocabulary
from ..model.scenario.weights import Weights
from . import trained_model
from .model_metadata import Object, check_fit, check_values, closed_text, parsed, seed_of, words

VERSION = "1"


def save(scenario: Scenario, trace: Trace) -> bytes:
    """Serialize all parameters with edits applied, the config and the words."""
    return save_model(
        scenario.config,
        {path: trace[path].value for path in scenario.config.parameter_shapes()},
        scenario.vocabulary,
        text=(scenario.source, scenario.target),
        seed=scenario.settings.seed,
    )


def save_model(
    config: Config,
    parameters: Mapping[str, np.ndarray],
    vocabulary: Vocabulary,
    *,
    text: tuple[Sequence[str], Sequence[str]] | None = None,
    seed: int = 1,
) -> bytes:
    """Serialize parameters to the content of a model file.

    Without a ``text`` of source and target tokens, the page chooses them; ``seed`` draws the
    weights of words that are added later. Raise ``CheckpointError`` if the model is too large, or
    its numbers are not float32 or float64.
    """
    metadata = {
        "format": "tinkerformer",
        "version": VERSION,
        "config": json.dumps(config.as_dict()),
        "seed": str(seed),
        "source_vocabulary": json.dumps(vocabulary.source),
        "target_vocabulary": json.dumps(vocabulary.target),
    }
    if text is not None:
        metadata |= {"source": json.dumps(list(text[0])), "target": json.dumps(list(text[1]))}
    if not vocabulary.of_text:
        metadata["closed"] = closed_text(vocabulary)
    return safetensors.save(parameters, metadata)


def load(
    data: bytes, now: Scenario, name: str = "", limit: int = safetensors.MAX_BYTES
) -> Scenario:
    """Build a scenario with the weights, settings and words of a file.

    A file without a config is assumed to have the settings and words of ``now``. The drawing
    options and the dropout switch are kept; edits are discarded. Raise ``ValueError`` with one
    sentence if the file cannot be opened.
    """
    arrays, metadata = safetensors.load(data, limit)
    if metadata.get("version", VERSION) != VERSION:
        raise ValueError(f"The file has version {metadata['version'][:20]}, not {VERSION}.")
    if "closed" in metadata:
        return trained_model.from_file(arrays, metadata, now, name)
    check_values(arrays)
    new = _scenario(metadata, now)
    weights = Weights(
        arrays,
        words(metadata, "source_vocabulary", new.source_vocabulary),
        words(metadata, "target_vocabulary", new.target_vocabulary),
        name,
    )
    if new.own_vocabulary:
        known = weights.source_vocabulary, weights.target_vocabulary
        own = dataclasses.replace(new.own_vocabulary, source=known[0], target=known[1])
        new = dataclasses.replace(new, own_vocabulary=own)
    check_fit(weights, new.config)
    return new.with_weights(weights)


def _scenario(metadata: dict[str, str], now: Scenario) -> Scenario:
    """Return the current scenario with the settings and words of a file."""
    if "config" not in metadata:
        return now if now.model == SANDBOX else dataclasses.replace(now, model=FILE)
    config = parsed(metadata, "config", Object)
    settings = _settings(config, seed_of(metadata))
    new = _sandbox(now).with_tokens("source", words(metadata, "source", now.source))
    new = new.with_tokens("target", words(metadata, "target", now.target))
    answers = words(metadata, "target_vocabulary", ())
    new = new.with_answers(answers) if answers else new
    new = dataclasses.replace(new, settings=settings)
    _check_config(config, new)
    return new


def _sandbox(now: Scenario) -> Scenario:
    return dataclasses.replace(
        now,
        model=SANDBOX,
        locked=LockedSizes(),
        weights=None,
        own_vocabulary=None,
        edits=NO_EDITS,
        silences=(),
        data=None,
        steps_taken=0,
        trained_with=None,
        writes_itself=False,
    )


def _settings(config: dict[str, Any], seed: int) -> ModelSettings:
    """Parse the settings of a config, and check them against the page's limits."""
    own = {name: config[name] for name in ModelSettings.names() if name in config}
    try:
        return ModelSettings().from_dict({**own, "seed": seed})
    except ValueError as error:
        said = str(error)
        raise ValueError(
            f"The file's settings go beyond this page's: {said[:1].lower()}{said[1:]}"
        ) from None


def _check_config(config: dict[str, Any], new: Scenario) -> None:
    """Check that config fields that the page cannot set have the page's values."""
    page = dataclasses.asdict(_config(new))
    for name in ("share_embeddings", "epsilon"):
        if config.get(name, page[name]) != page[name]:
            raise ValueError(
                f"The file's {name} is {str(config[name])[:40]}; the page supports only "
                f"{page[name]}."
            )


def _config(scenario: Scenario) -> Any:
    try:
        return scenario.config
    except ValueError as error:
        raise ValueError(f"The file's settings contradict each other: {error}") from None
