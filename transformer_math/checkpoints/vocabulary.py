"""Vocabularies in files: ``vocab.json``, ``vocab.txt``, ``tokenizer.json``, a word in each line."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from transformer_math.checkpoints.given_files import MAX_JSON, GivenFiles
from transformer_math.checkpoints.guess import SIDES, words_of
from transformer_math.checkpoints.safetensors import CheckpointError
from transformer_math.config import Config

Words = tuple[str, ...]

# The keys of the vocabulary in JSON objects that users' own programs write.
_KEYS = ("vocab", "stoi", "itos", "token_to_id", "word2idx", "idx2word", "word2index", "index2word")
_USUAL = ("vocab.json", "vocab.txt", "target_vocab.json", "tokenizer.json")
_JSON = re.compile(r"\s*(\{|\[[\s\"\[\]\d])")  # a first word such as [PAD] is not JSON
_SCORED = re.compile(r"[^\t]+\t-?\d+(\.\d+)?(e-?\d+)?")


def read_words(data: bytes, name: str = "The vocabulary") -> Words:
    """Return the words of a vocabulary in the order of their ids.

    Args:
        data: the content of a file: JSON with the id of each word, a list of words or the
            ``tokenizer.json`` of Hugging Face; or a text with a word in each line, perhaps with a
            tab and a number after it.
        name: the file, for messages.

    Raises:
        CheckpointError: the file is not text, or does not name each id once.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CheckpointError(f"{name} is not text in UTF-8.") from None
    if _JSON.match(text):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            raise CheckpointError(f"{name} is not JSON.") from None
        return _of_json(found, name)
    lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
    if lines == [""]:
        raise CheckpointError(f"{name} is empty.")
    if all(_SCORED.fullmatch(line) for line in lines):
        lines = [line.partition("\t")[0] for line in lines]
    return checked_words(lines, name)


def _of_json(found: Any, name: str) -> Words:
    if isinstance(found, list):
        return checked_words(found, name)
    model = found.get("model")
    if isinstance(model, dict) and "vocab" in model:
        return _of_tokenizer(model["vocab"], found.get("added_tokens"), name)
    inner = next((found[key] for key in _KEYS if isinstance(found.get(key), dict | list)), found)
    if isinstance(inner, list):
        return checked_words(inner, name)
    if inner and all(isinstance(word, str) for word in inner.values()):
        if not all(key.isdecimal() for key in inner):
            raise CheckpointError(f"{name} has no whole number for each word, its id.")
        inner = {word: int(key) for key, word in inner.items()}
    return in_order(inner, name)


def _of_tokenizer(vocab: Any, added: Any, name: str) -> Words:
    """Return the words of ``tokenizer.json``, which lists added words separately."""
    if isinstance(vocab, list):  # of a unigram model: pairs of a piece and its score
        pieces = (each[0] if isinstance(each, list) and each else None for each in vocab)
        vocab = {piece: n for n, piece in enumerate(checked_words(pieces, name))}
    if not isinstance(vocab, dict):
        raise CheckpointError(f"{name} has no vocabulary.")
    ids = dict(vocab)
    for token in added if isinstance(added, list) else []:
        if isinstance(token, dict) and isinstance(token.get("content"), str):
            ids[token["content"]] = token.get("id")
    return in_order(ids, name)


def in_order(ids: Mapping[Any, Any], name: str = "The vocabulary") -> Words:
    """Return the words sorted by id, from word -> id.

    Raises:
        CheckpointError: the ids are not the whole numbers from 0, each once.
    """
    if not all(type(n) is int for n in ids.values()):
        raise CheckpointError(f"{name} has no whole number for each word, its id.")
    if sorted(ids.values()) != list(range(len(ids))):
        raise CheckpointError(f"{name} has other ids than 0 to {len(ids) - 1:,}, each once.")
    return checked_words(sorted(ids, key=ids.__getitem__), name)


def checked_words(given: Iterable[Any], name: str = "The vocabulary") -> Words:
    """Return the words as a tuple.

    Raises:
        CheckpointError: a word is not a text, or is duplicated.
    """
    found = tuple(given)
    for word in found:
        if not isinstance(word, str):
            raise CheckpointError(f"{name} is a list of texts, and {word!r:.40} is none.")
    if len(set(found)) != len(found):
        (twice, _), *_ = Counter(found).most_common(1)
        raise CheckpointError(f"{name} has “{twice[:24]}” twice.")
    return found


def words_of_files(given: GivenFiles, config: Config) -> tuple[Words | None, Words | None]:
    """Return the words of source and target among a model's files; None for a side without words.

    A file whose name contains ``src`` or ``target`` is for that side. Files with the usual names
    are vocabularies; other files are vocabularies if they have as many words as the model.

    Raises:
        CheckpointError: a file with the name of a vocabulary is damaged, or has another number of
            words than the model.
    """
    sizes = {"source": config.source_vocabulary, "target": config.target_vocabulary}
    stacks = {"source": config.encoder_layers, "target": config.decoder_layers}
    sides = [side for side in sizes if stacks[side]]
    found: dict[str, Words] = {}
    names = {name: [s for s in sides if set(words_of(name)) & SIDES[s]] for name in given.names}
    order = sorted(names, key=lambda name: (len(names[name]) != 1, name not in _USUAL))
    for name in order:
        words = _words_or_none(given, name)
        if words is None:
            continue
        own = names[name] if len(names[name]) == 1 else sides
        fitting = [side for side in own if len(words) == sizes[side]]
        found = {**dict.fromkeys(fitting, words), **found}
        if name in _USUAL and not fitting and not set(own) <= set(found):
            size = sizes[own[-1]]
            raise CheckpointError(f"{name} has {len(words):,} words, the model {size:,}.")
    return found.get("source"), found.get("target")


def _words_or_none(given: GivenFiles, name: str) -> Words | None:
    """Return the words in a file; None if it is no vocabulary."""
    if given.kind(name) in ("safetensors", "torch") or given.size(name) > MAX_JSON:
        return None
    try:
        return read_words(given.read(name), name)
    except CheckpointError:
        if name in _USUAL:
            raise
        return None
