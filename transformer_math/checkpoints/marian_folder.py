"""Folders of Hugging Face's ``MarianMTModel``: model, vocabularies, tokenizers and special ids."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from transformer_math.checkpoints import marian, safetensors
from transformer_math.checkpoints.safetensors import CheckpointError
from transformer_math.checkpoints.sentencepiece import SentencePiece, joined
from transformer_math.config import Config

Files = str | PathLike[str] | Mapping[str, bytes]

CONFIG, GENERATION, WEIGHTS = "config.json", "generation_config.json", "model.safetensors"
TOKENS, TARGET_TOKENS = "vocab.json", "target_vocab.json"
SOURCE_PIECES, TARGET_PIECES = "source.spm", "target.spm"

_MB = 1 << 20
_LIMITS = {  # largest sizes in bytes in a local folder; the weights of a base model have 300 MB
    CONFIG: _MB,
    GENERATION: _MB,
    TOKENS: 32 * _MB,
    TARGET_TOKENS: 32 * _MB,
    SOURCE_PIECES: 8 * _MB,
    TARGET_PIECES: 8 * _MB,
    WEIGHTS: 2048 * _MB,
}


@dataclass(frozen=True, slots=True)
class MarianCheckpoint:
    """A model with all that it takes to translate a text.

    Attributes:
        config: the model's settings; padding is masked only in the source.
        parameters: path -> array.
        source_tokens: the tokens of the source by id.
        target_tokens: the tokens of the target by id; the same tuple if there is one vocabulary.
        start: the id that decoding starts with, which is ``<pad>`` for Marian.
        end: the id at the end of a source and of a translation.
        pad: the id of padding.
        forbidden_tokens: ids that are never written, usually ``<pad>``, which was never trained.
        source_pieces: the tokenizer of the source; None if it is not among the files.
        target_pieces: the tokenizer of the target; None if it is not among the files.
    """

    config: Config
    parameters: dict[str, np.ndarray]
    source_tokens: tuple[str, ...]
    target_tokens: tuple[str, ...]
    start: int
    end: int
    pad: int
    forbidden_tokens: tuple[int, ...]
    source_pieces: SentencePiece | None
    target_pieces: SentencePiece | None

    def source_ids(self, text: str) -> list[int]:
        """The ids of a source text and the end; ``>>de<<`` before the text selects a language.

        Raises:
            ValueError: the files came without ``source.spm``, or a piece has no id.
        """
        return [*_ids(text, self.source_pieces, self.source_tokens, SOURCE_PIECES), self.end]

    def target_ids(self, text: str) -> list[int]:
        """The ids of a target text and the end, without the start.

        Raises:
            ValueError: the files came without ``target.spm``, or a piece has no id.
        """
        return [*_ids(text, self.target_pieces, self.target_tokens, TARGET_PIECES), self.end]

    def text(self, ids: Iterable[int]) -> str:
        """The text of target ids, without start, end, padding and unknown pieces."""
        tokens = self.target_tokens
        hidden = {tokens[self.start], tokens[self.end], tokens[self.pad], "<unk>"}
        return joined(tokens[n] for n in ids if tokens[n] not in hidden)


def open_checkpoint(files: Files, dtype: str = "float32") -> MarianCheckpoint:
    """The checkpoint in a folder, or in uploaded files.

    ``config.json``, ``model.safetensors`` and ``vocab.json`` are required;
    ``generation_config.json``, ``target_vocab.json``, ``source.spm`` and ``target.spm`` are
    optional.

    Args:
        files: the folder, or name -> content.
        dtype: the dtype of the model.

    Raises:
        ValueError: a file is missing, damaged, too large, or does not fit the others.
    """
    held = _Files(files)
    raw = held.json(CONFIG)
    generation = {**raw, **(held.json(GENERATION) if held.has(GENERATION) else {})}
    source_tokens = _tokens(held, TOKENS)
    target_tokens = _tokens(held, TARGET_TOKENS) if held.has(TARGET_TOKENS) else source_tokens
    config, parameters = _read(held, raw, dtype)
    for name, tokens, size in (
        (TOKENS, source_tokens, config.source_vocabulary),
        (TARGET_TOKENS, target_tokens, config.target_vocabulary),
    ):
        if len(tokens) != size:
            name = name if held.has(name) else TOKENS
            raise CheckpointError(f"{name} has {len(tokens):,} words, the model {size:,}.")
    start = _id(generation, "decoder_start_token_id", config)
    end = _id(generation, "eos_token_id", config)
    return MarianCheckpoint(
        config=config,
        parameters=parameters,
        source_tokens=source_tokens,
        target_tokens=target_tokens,
        start=start,
        end=end,
        pad=_id(raw, "pad_token_id", config),
        forbidden_tokens=_forbidden_tokens(generation.get("bad_words_ids"), config),
        source_pieces=_pieces(held, SOURCE_PIECES),
        target_pieces=_pieces(held, TARGET_PIECES),
    )


def read_model(files: Files, dtype: str = "float32") -> tuple[Config, dict[str, np.ndarray]]:
    """The config and the parameters alone, from ``config.json`` and ``model.safetensors``.

    Raises:
        ValueError: a file is missing, damaged, too large, or does not fit the other.
    """
    held = _Files(files)
    return _read(held, held.json(CONFIG), dtype)


def _read(held: _Files, raw: dict[str, Any], dtype: str) -> tuple[Config, dict[str, np.ndarray]]:
    data = held.read(WEIGHTS)
    limit = _LIMITS[WEIGHTS] if held.uploaded is None else safetensors.MAX_BYTES
    return marian.from_marian(raw, safetensors.load(data, limit).arrays, dtype)


class _Files:
    """The files of a folder, or uploaded ones by name."""

    def __init__(self, files: Files) -> None:
        self.uploaded = files if isinstance(files, Mapping) else None
        self._folder = Path() if isinstance(files, Mapping) else Path(files)
        if self.uploaded is None and not self._folder.is_dir():
            raise CheckpointError(f"There is no folder {self._folder}.")

    def has(self, name: str) -> bool:
        """Whether there is a file of this name."""
        if self.uploaded is not None:
            return name in self.uploaded
        return (self._folder / name).is_file()

    def read(self, name: str) -> bytes:
        """The content of a file.

        Raises:
            CheckpointError: it is missing or too large.
        """
        if not self.has(name):
            hint = ""
            if name == WEIGHTS and self.has("pytorch_model.bin"):
                hint = "; pytorch_model.bin is a pickle, which can run code and is not read"
            raise CheckpointError(f"{name} is missing{hint}.")
        limit = _LIMITS[name]
        uploaded, path = self.uploaded, self._folder / name
        size = path.stat().st_size if uploaded is None else len(uploaded[name])
        if size > limit:
            raise CheckpointError(f"{name} has {size:,} bytes; at most {limit:,} are read.")
        return path.read_bytes() if uploaded is None else uploaded[name]

    def json(self, name: str) -> dict[str, Any]:
        """The JSON object in a file.

        Raises:
            CheckpointError: it is missing, too large or not a JSON object.
        """
        try:
            found = json.loads(self.read(name).decode())
        except CheckpointError:
            raise
        except (ValueError, RecursionError):
            raise CheckpointError(f"{name} is not JSON.") from None
        if not isinstance(found, dict):
            raise CheckpointError(f"{name} is no JSON object.")
        return found


def _tokens(held: _Files, name: str) -> tuple[str, ...]:
    """The tokens by id, from a file of token -> id."""
    ids = held.json(name)
    if not all(type(n) is int for n in ids.values()):
        raise CheckpointError(f"{name} tells of other ids than whole numbers.")
    if sorted(ids.values()) != list(range(len(ids))):
        raise CheckpointError(f"The ids of {name} are not 0 to {len(ids) - 1:,}, each once.")
    return tuple(sorted(ids, key=ids.__getitem__))


def _pieces(held: _Files, name: str) -> SentencePiece | None:
    """The tokenizer in a file, None if the file is missing."""
    return SentencePiece.from_bytes(held.read(name)) if held.has(name) else None


def _id(raw: dict[str, Any], name: str, config: Config) -> int:
    """An id of the target's vocabulary, which may also be given as a list of one id."""
    value = raw.get(name)
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if type(value) is not int or not 0 <= value < config.target_vocabulary:
        raise CheckpointError(f"The config's {name} is no word of the target: {value!r:.40}.")
    return value


def _forbidden_tokens(raw: Any, config: Config) -> tuple[int, ...]:
    """The forbidden sequences that consist of one token; longer ones are ignored."""
    found = []
    for words in raw if isinstance(raw, list) else []:
        if isinstance(words, list) and len(words) == 1:
            found.append(_id({"bad_words_ids": words}, "bad_words_ids", config))
    return tuple(found)


def _ids(text: str, pieces: SentencePiece | None, tokens: tuple[str, ...], name: str) -> list[int]:
    if pieces is None:
        raise ValueError(f"The files came without {name}, which tells how a text is cut.")
    language, text = _language(text)
    known = {token: n for n, token in enumerate(tokens)}
    found = [known.get(piece, known.get("<unk>")) for piece in (*language, *pieces.segment(text))]
    if None in found:
        raise ValueError("A piece of the text is no word of the vocabulary, and there is no <unk>.")
    return [n for n in found if n is not None]


def _language(text: str) -> tuple[list[str], str]:
    """The token ``>>de<<`` at the start of a text, which selects a language, and the rest."""
    close = text.find("<<") + 2
    if text.startswith(">>") and close > 2:
        return [text[:close]], text[close:]
    return [], text
