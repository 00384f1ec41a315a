"""Parses and validates the text metadata of a model file, and checks it against the weights."""

import json
import re
from collections.abc import Mapping
from typing import Annotated, Any, TypedDict

import numpy as np

from transformer_math import Config
from transformer_math.checks import MAX_SEED
from transformer_math.data.tokenizer import Unit

from ..model.scenario.limits import MAX_VALUE
from ..model.scenario.vocabulary import Vocabulary
from ..model.scenario.weights import Weights
from ..plain_data import (
    MAX_WHOLE,
    From,
    Length,
    Matching,
    PlainDataError,
    Then,
    WholeText,
    reader,
    whole,
)

Object = dict[str, object]  # a JSON object, which the caller checks

_MAX_NAMED = 12


# No limit, because the file's size limits the number and length of its tokens.
_ANY = Length(0, MAX_WHOLE)
_Token = Annotated[WholeText, _ANY]
_Tokens = Annotated[tuple[_Token, ...], _ANY]
_Seed = Annotated[
    int,
    From(Annotated[str, Matching(re.compile(r"\d{1,11}", re.ASCII))], int),
    Then(whole(0, MAX_SEED)),
]


class _Closed(TypedDict, total=False):
    """A closed vocabulary, apart from its tokens."""

    start: _Token | None
    end: _Token | None
    pad: _Token | None
    unit: Unit
    closed: bool
    never: _Tokens


def words(metadata: dict[str, str], name: str, otherwise: tuple[str, ...]) -> tuple[str, ...]:
    """Parse a list of tokens; return ``otherwise`` if the metadata lacks this name."""
    if name not in metadata:
        return otherwise
    found: tuple[str, ...] = parsed(metadata, name, _Tokens, "is not a list of words")
    if name.endswith("vocabulary") and len(set(found)) != len(found):
        raise ValueError(f"The file's {name} has a word twice.")
    return found


def seed_of(metadata: dict[str, str]) -> int:
    """Parse the seed with which the weights were initialized."""
    try:
        seed: int = reader(_Seed)(metadata.get("seed", "1"))
    except PlainDataError:
        raise ValueError("The file's seed cannot be read.") from None
    return seed


def parsed(
    metadata: dict[str, str], name: str, declared: Any, problem: str = "cannot be read"
) -> Any:
    """Parse the JSON value of a field as a declared type; ``ValueError`` if missing or invalid."""
    try:
        return reader(declared)(json.loads(metadata.get(name, "")))
    except (ValueError, RecursionError):
        raise ValueError(f"The file's {name} {problem}.") from None


# Keys of the metadata field ``closed``, and the vocabulary's attributes for them.
_CLOSED = {
    **{name: name for name in ("start", "end", "pad", "unit", "closed")},
    "never": "forbidden",
}


def closed_text(vocabulary: Vocabulary) -> str:
    """Return the metadata field ``closed`` of a vocabulary, as JSON."""
    text = {name: getattr(vocabulary, field) for name, field in _CLOSED.items()}
    if vocabulary.closed == _is_closed(vocabulary.unit):
        del text["closed"]
    return json.dumps(text)


def _is_closed(unit: Unit) -> bool:
    """Return whether a vocabulary is closed if its file does not specify this."""
    return unit == "character"


def vocabulary(metadata: dict[str, str]) -> Vocabulary:
    """Parse the vocabulary of a file with the field ``closed``."""
    closed = parsed(metadata, "closed", _Closed)
    unit = closed.get("unit", "character")
    own = {field: closed[name] for name, field in _CLOSED.items() if name in closed}
    return Vocabulary(
        words(metadata, "source_vocabulary", ()),
        words(metadata, "target_vocabulary", ()),
        **{"closed": _is_closed(unit), **own, "unit": unit},
    )


def check_fit(weights: Weights, config: Config) -> None:
    """Raise ``ValueError`` with the mismatches if the weights lack a parameter, shape or word."""
    wrong = weights.mismatches(config) or _vocabulary_mismatches(weights)
    if wrong:
        more = len(wrong) - _MAX_NAMED
        tail = f"; and {more} more" if more > 0 else ""
        raise ValueError(f"The weights do not fit: {'; '.join(wrong[:_MAX_NAMED])}{tail}.")


def check_values(arrays: Mapping[str, np.ndarray]) -> None:
    """Raise ``ValueError`` if a number is NaN or out of the range that the user can set."""
    for path, array in arrays.items():
        if array.size and not np.abs(array).max() <= MAX_VALUE:
            raise ValueError(
                f"{path} holds numbers beyond −{MAX_VALUE:g} to {MAX_VALUE:g}, or NaN."
            )


def _vocabulary_mismatches(weights: Weights) -> list[str]:
    """Return a mismatch for each table whose size differs from the number of words."""
    source, target = len(weights.source_vocabulary), len(weights.target_vocabulary)
    output = target if "target.W_e" in weights.arrays else source
    return [
        f"{path} has {weights.arrays[path].shape[axis]} {what} for {count} words"
        for path, axis, what, count in (
            ("source.W_e", 0, "rows", source),
            ("target.W_e", 0, "rows", target),
            ("output.W_out", -1, "columns", output),
            ("output.b_out", -1, "columns", output),
        )
        if path in weights.arrays and weights.arrays[path].shape[axis] != count
    ]
