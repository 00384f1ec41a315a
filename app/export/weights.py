"""The model as a safetensors file, and back into a scenario."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import numpy as np

from app.edits import NO_EDITS
from app.scenario import Scenario
from app.settings import VALUE_LIMIT, Settings, settings_from
from app.weights import Weights
from transformer_math import Trace, checkpoint

VERSION = "1"
_MOST_NAMED = 12
_WORDS = ("source", "target", "source_vocabulary", "target_vocabulary")


def save(scenario: Scenario, trace: Trace) -> bytes:
    """All parameters as they are now, edits applied, with the config and the words.

    Raises:
        CheckpointError: the model is too large.
    """
    arrays = {path: trace[path].value for path in scenario.config.parameter_shapes()}
    metadata = {
        "format": "tinkerformer",
        "version": VERSION,
        "config": json.dumps(dataclasses.asdict(scenario.config)),
        "seed": str(scenario.settings.seed),
        **{name: json.dumps(getattr(scenario, name)) for name in _WORDS},
    }
    return checkpoint.write(arrays, metadata)


def load(data: bytes, now: Scenario, name: str = "") -> Scenario:
    """The scenario with the weights, the settings and the words of a file.

    A file without a config is taken for a model with the settings and words of ``now``. How
    matrices are drawn and whether dropout is on stay as they are; edits are let go.

    Raises:
        ValueError: one sentence that says why the file cannot be opened.
    """
    arrays, metadata = checkpoint.read(data)
    new = _scenario(metadata, now)
    _check_values(arrays)
    weights = Weights(
        arrays,
        _words(metadata, "source_vocabulary", new.source_vocabulary),
        _words(metadata, "target_vocabulary", new.target_vocabulary),
        name,
    )
    wrong = weights.mismatches(new.config) or _vocabulary_mismatches(weights)
    if wrong:
        more = len(wrong) - _MOST_NAMED
        tail = f"; and {more} more" if more > 0 else ""
        raise ValueError(f"The weights do not fit: {'; '.join(wrong[:_MOST_NAMED])}{tail}.")
    return new.with_weights(weights)


def _scenario(metadata: dict[str, str], now: Scenario) -> Scenario:
    """The settings and words that a file tells of, on the page of now."""
    if "config" not in metadata:
        return now
    if metadata.get("version", VERSION) != VERSION:
        raise ValueError(f"The file has version {metadata['version'][:20]}, not {VERSION}.")
    config = _parsed(metadata, "config", dict)
    settings = _settings(config, metadata.get("seed", "1"))
    new = now.with_tokens("source", _words(metadata, "source", now.source))
    new = new.with_tokens("target", _words(metadata, "target", now.target))
    answers = _words(metadata, "target_vocabulary", ())
    new = new.with_answers(answers) if answers else new
    new = dataclasses.replace(new, settings=settings, edits=NO_EDITS, weights=None)
    _check_config(config, new)
    return new


def _settings(config: dict[str, Any], seed: str) -> Settings:
    """The settings out of a config, each within the limits of the page."""
    raw = {f.name: config[f.name] for f in dataclasses.fields(Settings) if f.name in config}
    try:
        return settings_from(
            {**raw, "seed": int(seed) if seed.isdecimal() and len(seed) < 12 else -1}
        )
    except ValueError as error:
        raise ValueError(f"The file's settings go beyond this page's: {error}") from None


def _check_config(config: dict[str, Any], new: Scenario) -> None:
    """What the page has no setting for has to be as on the page."""
    page = dataclasses.asdict(_config(new))
    for name in ("share_embeddings", "epsilon"):
        if config.get(name, page[name]) != page[name]:
            raise ValueError(
                f"The file's {name} is {str(config[name])[:40]}; the page has {page[name]} only."
            )


def _config(scenario: Scenario) -> Any:
    try:
        return scenario.config
    except ValueError as error:
        raise ValueError(f"The file's settings do not fit one another: {error}") from None


def _check_values(arrays: dict[str, np.ndarray]) -> None:
    for path, array in arrays.items():
        if array.size and np.abs(array).max() > VALUE_LIMIT:
            raise ValueError(f"{path} holds numbers beyond −{VALUE_LIMIT:g} to {VALUE_LIMIT:g}.")


def _vocabulary_mismatches(weights: Weights) -> list[str]:
    """Tables whose rows are not as many as the words."""
    found = []
    for path, words in (
        ("source.W_e", weights.source_vocabulary),
        ("target.W_e", weights.target_vocabulary),
    ):
        if path in weights.arrays and len(weights.arrays[path]) != len(words):
            found.append(f"{path} has {len(weights.arrays[path])} rows for {len(words)} words")
    if "target.W_e" in weights.arrays:
        words = weights.target_vocabulary
    else:
        words = weights.source_vocabulary
    for path in ("output.W_out", "output.b_out"):
        array = weights.arrays.get(path)
        if array is not None and array.shape[-1] != len(words):
            found.append(f"{path} has {array.shape[-1]} columns for {len(words)} words")
    return found


def _words(metadata: dict[str, str], name: str, otherwise: tuple[str, ...]) -> tuple[str, ...]:
    if name not in metadata:
        return otherwise
    words = _parsed(metadata, name, list)
    if not all(isinstance(word, str) and _is_text(word) for word in words):
        raise ValueError(f"The file's {name} is not a list of words.")
    if name.endswith("vocabulary") and len(set(words)) != len(words):
        raise ValueError(f"The file's {name} has a word twice.")
    return tuple(words)


def _is_text(word: str) -> bool:
    """Whether it can be written: JSON can tell of half a surrogate pair."""
    return word.encode("utf-8", "ignore").decode() == word


def _parsed(metadata: dict[str, str], name: str, kind: type) -> Any:
    try:
        value = json.loads(metadata[name])
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, kind):
        raise ValueError(f"The file's {name} cannot be read.")
    return value
