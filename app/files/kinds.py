"""Determines the kind of files by their content: model, run, session, vocabulary or data."""

import dataclasses
import json
from collections.abc import Mapping
from typing import Literal

from transformer_math.checkpoints import safetensors
from transformer_math.checkpoints.given_files import MAX_JSON, GivenFiles
from transformer_math.checkpoints.safetensors import CheckpointError
from transformer_math.checkpoints.vocabulary import Words, read_words
from transformer_math.data.given import given_table
from transformer_math.data.tables import table_of_text

from ..model.scenario.model_names import FILE
from ..model.scenario.scenario import Scenario
from ..model.scenario.vocabulary import Side
from ..model.scenario.weights import Weights
from . import trained_model
from .given_vocabulary import with_usual_names
from .open_model import first_text

Kind = Literal["model", "run", "session", "vocabulary", "data"]
_RUN = b'"parameters/', b'"m/'  # the first array names of a training run
_NO_DATA: dict[Kind, str] = {
    "model": "a model",
    "run": "a training run",
    "session": "a saved page",
    "vocabulary": "a vocabulary",
}
_SIDES: tuple[Side, Side] = ("source", "target")


def kind_of(files: Mapping[str, bytes], now: Scenario) -> Kind:
    """Determine the kind of files (name -> content) from their content.

    A text with one word per line is a vocabulary if the model of ``now`` was opened from a file and
    has as many words, and the lines are not pairs; otherwise it is data.
    """
    given = GivenFiles(files, safetensors.MAX_BYTES)
    if not given.names:
        raise ValueError("No file was chosen.")
    weights = [name for name in given.names if _may_have_weights(given, name, files[name])]
    if len(files) == 1 and weights:
        return "run" if _is_run(files[weights[0]]) else "model"
    if weights or given.has("config.json"):
        return "model"
    if len(files) > 1:
        return "data"
    ((name, content),) = files.items()
    if given.kind(name) == "json" and _is_session(content):
        return "session"
    words = _words_or_none(content)
    is_json = given.kind(name) == "json" and words is not None
    is_fitting = words is not None and bool(_fitting(words, now)) and not _are_pairs(words)
    return "vocabulary" if is_json or is_fitting else "data"


def no_data(files: Mapping[str, bytes], now: Scenario) -> str:
    """Return a sentence on the kind of the files; empty if they are training data."""
    kind = kind_of(files, now)
    if kind == "data":
        return ""
    name = next(iter(files)) if len(files) == 1 else "That"
    return f"{name} is {_NO_DATA[kind]}, which the page cannot learn from."


def _may_have_weights(given: GivenFiles, name: str, content: bytes) -> bool:
    """Return whether a file may contain weights; excludes other zips, such as spreadsheets."""
    kind = given.kind(name)
    is_other_zip = content[:2] == b"PK" and b"data.pkl" not in content
    return kind == "safetensors" or (kind == "torch" and not is_other_zip)


def _is_run(content: bytes) -> bool:
    header = content[8 : 8 + int.from_bytes(content[:8], "little")]
    return all(name in header for name in _RUN)


def _is_session(content: bytes) -> bool:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return False
    fields = found.keys() if isinstance(found, dict) else ()
    return "version" in fields and not isinstance(found.get("model"), dict)  # not a tokenizer


def _words_or_none(content: bytes) -> Words | None:
    if len(content) > MAX_JSON:
        return None
    try:
        return read_words(content)
    except CheckpointError:
        return None


def _are_pairs(words: Words) -> bool:
    """Return whether a line has a tab between texts, or most lines parse as source and target."""
    if any("\t" in word.strip() for word in words):
        return True
    found = given_table(table_of_text("\n".join(words)))
    return len(found.rows) > len(found.skipped)


def _fitting(words: Words, now: Scenario) -> list[Side]:
    """Return the sides with this many words; none unless the page's model came from a file."""
    own = now.own_vocabulary
    if now.model != FILE or own is None:
        return []
    return [side for side in _SIDES if len(own.tokens(side)) == len(words)]


def with_words(files: Mapping[str, bytes], now: Scenario) -> Scenario:
    """Replace the words of the page's model by those of a vocabulary file (name -> content).

    Raise ``ValueError`` with one sentence if no side of the model has as many words.
    """
    ((name, content),) = files.items()
    words = read_words(content, name)
    own, weights, sides = now.own_vocabulary, now.weights, _fitting(words, now)
    if now.model != FILE or own is None or weights is None:
        raise ValueError(
            f"{name} is a vocabulary of {len(words):,} words. First open its model, or open "
            "both at once."
        )
    if not sides:
        sizes = " and ".join(f"{len(own.tokens(side)):,} of the {side}" for side in _SIDES)
        raise ValueError(f"{name} has {len(words):,} words, and the model has {sizes}.")
    new = {
        side: dict(zip(own.tokens(side), words if side in sides else own.tokens(side), strict=True))
        for side in _SIDES
    }
    new_target = new["target"]
    renamed = dataclasses.replace(
        own,
        source=tuple(new["source"].values()),
        target=tuple(new["target"].values()),
        start=own.start and new_target[own.start],
        end=own.end and new_target[own.end],
        pad=own.pad and new["source"][own.pad],
        forbidden=tuple(new_target[token] for token in own.forbidden),
        unit="word",
        pieces=None if "source" in sides else own.pieces,
        target_pieces=None if "target" in sides else own.target_pieces,
    )
    replaced = with_usual_names(renamed)
    source, target = replaced.source, replaced.target
    of_page = Weights(weights.arrays, source, target, weights.name, weights.other)
    text = tuple(
        tuple(new[side].get(token, token) for token in getattr(now, side)) for side in _SIDES
    )
    if (now.source, now.target) == first_text(own):
        text = first_text(replaced)
    seed = now.settings.seed
    return trained_model.opened(now.config, of_page, replaced, now, (text[0], text[1]), seed)
