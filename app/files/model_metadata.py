"""What the text of a model's file says, and whether its numbers fit that."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from transformer_math import Config

from ..scenario.limits import MAX_VALUE
from ..scenario.model_settings import MAX_SEED
from ..scenario.vocabulary import Vocabulary
from ..scenario.weights import Weights

_MAX_NAMED = 12


def words(metadata: dict[str, str], name: str, otherwise: tuple[str, ...]) -> tuple[str, ...]:
    """A list of tokens, each but once where it is a vocabulary.

    Raises:
        ValueError: it is no such list.
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
    """The seed that the numbers came from.

    Raises:
        ValueError: it is none.
    """
    seed = metadata.get("seed", "1")
    if not (seed.isascii() and seed.isdecimal() and len(seed) < 12 and int(seed) <= MAX_SEED):
        raise ValueError("The file's seed cannot be read.")
    return int(seed)


def _is_text(word: str) -> bool:
    """Whether it can be written: JSON can hold half a surrogate pair."""
    return word.encode("utf-8", "ignore").decode() == word


def parsed(metadata: dict[str, str], name: str, kind: type) -> Any:
    """The JSON under a name.

    Raises:
        ValueError: it is none, or of another kind.
    """
    try:
        value = json.loads(metadata.get(name, ""))
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, kind):
        raise ValueError(f"The file's {name} cannot be read.")
    return value


# What the field ``closed`` of a file has: its names, and those of a vocabulary.
_CLOSED = {"start": "start", "end": "end", "pad": "pad", "unit": "unit", "never": "forbidden"}


def closed_text(vocabulary: Vocabulary) -> str:
    """What a file has of a closed vocabulary beside its tokens, as JSON."""
    return json.dumps({name: getattr(vocabulary, field) for name, field in _CLOSED.items()})


def vocabulary(metadata: dict[str, str]) -> Vocabulary:
    """The vocabulary of a file that has one of its own.

    Raises:
        ValueError: that cannot be read.
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
    """Every parameter is there, of the config's shape, with a row for each word.

    Raises:
        ValueError: they are not; the sentence names what does not fit.
    """
    wrong = weights.mismatches(config) or _vocabulary_mismatches(weights)
    if wrong:
        more = len(wrong) - _MAX_NAMED
        tail = f"; and {more} more" if more > 0 else ""
        raise ValueError(f"The weights do not fit: {'; '.join(wrong[:_MAX_NAMED])}{tail}.")


def check_values(arrays: Mapping[str, np.ndarray]) -> None:
    """No number is beyond what can be set on the page.

    Raises:
        ValueError: one is.
    """
    for path, array in arrays.items():
        if array.size and np.abs(array).max() > MAX_VALUE:
            raise ValueError(f"{path} holds numbers beyond −{MAX_VALUE:g} to {MAX_VALUE:g}.")


def _vocabulary_mismatches(weights: Weights) -> list[str]:
    """Tables whose rows are not as many as the words."""
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
