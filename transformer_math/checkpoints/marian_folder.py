"""A folder of Hugging Face's ``MarianMTModel``: its model, its words, and what starts and ends."""

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
_LIMITS = {  # bytes that are read of a local folder; a base model has about 300 MB
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
    """A model's config and parameters, with all it takes to translate a text.

    Attributes:
        config: the model's settings; padding is hidden in the source.
        parameters: path -> array, all that the config asks for.
        source_tokens: the words by id.
        target_tokens: the words by id, the same tuple where there is one vocabulary.
        start: the id that decoding begins with; Marian's is that of ``<pad>``.
        end: the id that closes a source and a translation.
        pad: the id that fills up a batch.
        forbidden_tokens: ids that a translation has not; ``<pad>`` in most files, as it was
            never trained.
        source_pieces: how a source text is cut, None if the files do not tell.
        target_pieces: how a target text is cut, None if the files do not tell.
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
        """The ids of a source text, with the end; ``>>de<<`` in front of it names a language.

        Raises:
            ValueError: the files came without ``source.spm``, or a piece has no id.
        """
        return [*_ids(text, self.source_pieces, self.source_tokens, SOURCE_PIECES), self.end]

    def target_ids(self, text: str) -> list[int]:
        """The ids of a target text, with the end and without the start.

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
    """What a folder holds, or what was uploaded under the names of its files.

    Needed are ``config.json``, ``model.safetensors`` and ``vocab.json``; taken where they are
    there ``generation_config.json``, ``target_vocab.json``, ``source.spm`` and ``target.spm``.

    Raises:
        ValueError: a file is missing, damaged, too large, or does not fit the others.
    """
    held = _Held(files)
    raw = held.json(CONFIG)
    asked = {**raw, **(held.json(GENERATION) if held.has(GENERATION) else {})}
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
    start, end = _id(asked, "decoder_start_token_id", config), _id(asked, "eos_token_id", config)
    return MarianCheckpoint(
        config=config,
        parameters=parameters,
        source_tokens=source_tokens,
        target_tokens=target_tokens,
        start=start,
        end=end,
        pad=_id(raw, "pad_token_id", config),
        forbidden_tokens=_forbidden_tokens(asked.get("bad_words_ids"), config),
        source_pieces=_pieces(held, SOURCE_PIECES),
        target_pieces=_pieces(held, TARGET_PIECES),
    )


def read_model(files: Files, dtype: str = "float32") -> tuple[Config, dict[str, np.ndarray]]:
    """The config and the parameters alone, for which ``config.json`` and ``model.safetensors`` do.

    Raises:
        ValueError: a file is missing, damaged, too large, or does not fit the other.
    """
    held = _Held(files)
    return _read(held, held.json(CONFIG), dtype)


def _read(held: _Held, raw: dict[str, Any], dtype: str) -> tuple[Config, dict[str, np.ndarray]]:
    data = held.read(WEIGHTS)
    limit = _LIMITS[WEIGHTS] if held.uploaded is None else safetensors.MAX_BYTES
    return marian.from_marian(raw, safetensors.load(data, limit).arrays, dtype)


class _Held:
    """Files in a folder, or uploaded ones by name."""

    def __init__(self, files: Files) -> None:
        self.uploaded = files if isinstance(files, Mapping) else None
        self._folder = Path() if isinstance(files, Mapping) else Path(files)
        if self.uploaded is None and not self._folder.is_dir():
            raise CheckpointError(f"There is no folder {self._folder}.")

    def has(self, name: str) -> bool:
        if self.uploaded is not None:
            return name in self.uploaded
        return (self._folder / name).is_file()

    def read(self, name: str) -> bytes:
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
        try:
            found = json.loads(self.read(name).decode())
        except CheckpointError:
            raise
        except (ValueError, RecursionError):
            raise CheckpointError(f"{name} is not JSON.") from None
        if not isinstance(found, dict):
            raise CheckpointError(f"{name} is no JSON object.")
        return found


def _tokens(held: _Held, name: str) -> tuple[str, ...]:
    """The words by id, out of ids by word."""
    ids = held.json(name)
    if not all(type(n) is int for n in ids.values()):
        raise CheckpointError(f"{name} tells of other ids than whole numbers.")
    if sorted(ids.values()) != list(range(len(ids))):
        raise CheckpointError(f"The ids of {name} are not 0 to {len(ids) - 1:,}, each once.")
    return tuple(sorted(ids, key=ids.__getitem__))


def _pieces(held: _Held, name: str) -> SentencePiece | None:
    return SentencePiece.from_bytes(held.read(name)) if held.has(name) else None


def _id(raw: dict[str, Any], name: str, config: Config) -> int:
    """An id of the target's vocabulary; Hugging Face writes a single one as a list, too."""
    value = raw.get(name)
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if type(value) is not int or not 0 <= value < config.target_vocabulary:
        raise CheckpointError(f"The config's {name} is no word of the target: {value!r:.40}.")
    return value


def _forbidden_tokens(raw: Any, config: Config) -> tuple[int, ...]:
    """Of the sequences that a translation may not have those of one word."""
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
    """The word ``>>de<<`` at the start of a text, by which one model has several languages."""
    close = text.find("<<") + 2
    if text.startswith(">>") and close > 2:
        return [text[:close]], text[close:]
    return [], text
