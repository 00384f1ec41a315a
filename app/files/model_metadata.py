"""Parses and validates the text metadata of a model file, and checks it against the weights."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from transformer_math import Config
from transformer_math.checks import MAX_SEED

from ..scenario.limits import MAX_VALUE
from ..scenario.vocabulary import Vocabulary
from ..scenario.weights import Weights

_MAX_NAMED = 12


def words(metadata: dict[str, str], name: str, otherwise: tuple[str, ...]) -> tuple[str, ...]:
    """Parse a list of tokens, without duplicates if it is a vocabulary.

    Raises:
        ValueError: the list is missing or invalid.
    """
    if name not in metadata:
        return otherwise
    found = parsed(metadata, name, list)
    if not all(isinstance(word, str) and _is_text(word) for word in found):
        raise ValueError(f"The file's {name} is not a list of words.")
    if name.endswith("vocabulary") and len(set(found)) != len(found):
        raise ValueError(f"The file's {name} has a word twice.")
    return tuple(found)


def seed_of(metadata: dict[str, str]) -> int:
    """Parse the seed that the weights were initialized from.

    Raises:
        ValueError: the seed is invalid.
    """
    seed = metadata.get("seed", "1")
    if not (seed.isascii() and seed.isdecimal() and len(seed) < 12 and int(seed) <= MAX_SEED):
        raise ValueError("The file's seed cannot be read.")
    return int(seed)


def _is_text(word: str) -> bool:
    """Whether a value is text that can be encoded; JSON can contain half of a surrogate pair."""
    return word.encode("utf-8", "ignore").decode() == word


def parsed(metadata: dict[str, str], name: str, kind: type) -> Any:
    """Parse the JSON value of a metadata field.

    Raises:
        ValueError: the value is missing, invalid, or of another type.
    """
    try:
        value = json.loads(metadata.get(name, ""))
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, kind):
        raise ValueError(f"The file's {name} cannot be read.")
    return value


# Keys of the metadata field ``closed``, and the vocabulary's attributes for them.
_CLOSED = {"start": "start", "end": "end", "pad": "pad", "unit": "unit", "never": "forbidden"}


def closed_text(vocabulary: Vocabulary) -> str:
    """The JSON that describes a closed vocabulary, apart from its tokens."""
    return json.dumps({name: getattr(vocabulary, field) for name, field in _CLOSED.items()})


def vocabulary(metadata: dict[str, str]) -> Vocabulary:
    """Parse the vocabulary of a file that has its own.

    Raises:
        ValueError: the vocabulary is invalid.
    """
    raw = parsed(metadata, "closed", dict)
    forbidden = raw.pop("never", [])
    found = [*raw.values(), *(forbidden if isinstance(forbidden, list) else [0])]
    is_text = set(raw) <= set(_CLOSED) and all(x is None or isinstance(x, str) for x in found)
    unit = raw.pop("unit", "character")
    if not is_text or None in forbidden or unit not in ("character", "word"):
        raise ValueError("The file's closed cannot be read.")
    return Vocabulary(
        words(metadata, "source_vocabulary", ()),
        words(metadata, "target_vocabulary", ()),
        **raw,
        unit=unit,
        closed=unit == "character",
        forbidden=tuple(forbidden),
    )


def check_fit(weights: Weights, config: Config) -> None:
    """Check that the weights have every parameter in the config's shape, and a row for each word.

    Raises:
        ValueError: the weights do not fit; the message names the mismatch.
    """
    wrong = weights.mismatches(config) or _vocabulary_mismatches(weights)
    if wrong:
        more = len(wrong) - _MAX_NAMED
        tail = f"; and {more} more" if more > 0 else ""
        raise ValueError(f"The weights do not fit: {'; '.join(wrong[:_MAX_NAMED])}{tail}.")


def check_values(arrays: Mapping[str, np.ndarray]) -> None:
    """Check that all numbers are within the range that can be edited on the page.

    Raises:
        ValueError: a number is out of range.
    """
    for path, array in arrays.items():
        if array.size and np.abs(array).max() > MAX_VALUE:
            raise ValueError(f"{path} holds numbers beyond −{MAX_VALUE:g} to {MAX_VALUE:g}.")


def _vocabulary_mismatches(weights: Weights) -> list[str]:
    """The embedding tables whose number of rows differs from the number of words."""
    found = []
    for path, known in (
        ("source.W_e", weights.source_vocabulary),
        ("target.W_e", weights.target_vocabulary),
    ):
        if path in weights.arrays and len(weights.arrays[path]) != len(known):
            found.append(f"{path} has {len(weights.arrays[path])} rows for {len(known)} words")
    if "target.W_e" in weights.arrays:
        known = weights.target_vocabulary
    else:
        known = weights.source_vocabulary
    for path in ("output.W_out", "output.b_out"):
        array = weights.arrays.get(path)
        if array is not None and array.shape[-1] != len(known):
            found.append(f"{path} has {array.shape[-1]} columns for {len(known)} words")
    return found
