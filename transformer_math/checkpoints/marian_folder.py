"""Folders of Hugging Face's ``MarianMTModel``: model, vocabularies, tokenizers and special ids."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from transformer_math.checkpoints.given_files import CONFIG, GENERATION, Files, GivenFiles
from transformer_math.checkpoints.read_files import read_files
from transformer_math.checkpoints.safetensors import CheckpointError
from transformer_math.checkpoints.sentencepiece import SentencePiece, joined
from transformer_math.checkpoints.vocabulary import read_words
from transformer_math.config import Config

TOKENS, TARGET_TOKENS = "vocab.json", "target_vocab.json"
SOURCE_PIECES, TARGET_PIECES = "source.spm", "target.spm"


@dataclass(frozen=True, slots=True)
class MarianCheckpoint:
    """A model with all data that it needs to translate a text.

    Attributes:
        config: the model's settings; padding is masked only in the source.
        parameters: path -> array.
        source_tokens: the tokens of the source by id.
        target_tokens: the tokens of the target by id; the same tuple if there is one vocabulary.
        start: the id with which decoding starts, which is ``<pad>`` for Marian.
        end: the id at the end of a source and of a translation.
        pad: the id of padding.
        forbidden_tokens: ids that are never written, usually that of ``<pad>``.
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
        """Return the ids of a source text and the end; ``>>de<<`` before a text is its language.

        Raises:
            ValueError: the files came without ``source.spm``, or a piece has no id.
        """
        return [*_ids(text, self.source_pieces, self.source_tokens, SOURCE_PIECES), self.end]

    def target_ids(self, text: str) -> list[int]:
        """Return the ids of a target text and the end, without the start.

        Raises:
            ValueError: the files came without ``target.spm``, or a piece has no id.
        """
        return [*_ids(text, self.target_pieces, self.target_tokens, TARGET_PIECES), self.end]

    def text(self, ids: Iterable[int]) -> str:
        """Return the text of target ids, without start, end, padding and unknown pieces."""
        tokens = self.target_tokens
        hidden = {tokens[self.start], tokens[self.end], tokens[self.pad], "<unk>"}
        return joined(tokens[n] for n in ids if tokens[n] not in hidden)


def open_checkpoint(
    files: Files | GivenFiles, dtype: str = "float32", **settings: Any
) -> MarianCheckpoint:
    """Return the checkpoint in a folder, or in uploaded files.

    ``config.json``, weights and ``vocab.json`` are required; ``generation_config.json``,
    ``target_vocab.json``, ``source.spm`` and ``target.spm`` are optional.

    Args:
        files: the folder, or name -> content.
        dtype: the dtype of the model.
        settings: settings of ``Config`` that replace those of ``config.json``.

    Raises:
        ValueError: a file is missing, damaged, too large, or does not fit the others.
    """
    held = files if isinstance(files, GivenFiles) else GivenFiles(files)
    raw = held.object(CONFIG)
    generation = {**raw, **(held.object(GENERATION) if held.has(GENERATION) else {})}
    source_tokens = read_words(held.read(TOKENS), TOKENS)
    target_tokens = source_tokens
    if held.has(TARGET_TOKENS):
        target_tokens = read_words(held.read(TARGET_TOKENS), TARGET_TOKENS)
    found = read_files(held, family="marian", dtype=dtype, **settings)
    config = found.config
    for name, tokens, size in (
        (TOKENS, source_tokens, config.source_vocabulary),
        (TARGET_TOKENS, target_tokens, config.target_vocabulary),
    ):
        if len(tokens) != size:
            name = name if held.has(name) else TOKENS
            raise CheckpointError(f"{name} has {len(tokens):,} words, the model {size:,}.")
    return MarianCheckpoint(
        config=config,
        parameters=found.parameters,
        source_tokens=source_tokens,
        target_tokens=target_tokens,
        start=_id(generation, "decoder_start_token_id", config),
        end=_id(generation, "eos_token_id", config),
        pad=_id(raw, "pad_token_id", config),
        forbidden_tokens=_forbidden_tokens(generation.get("bad_words_ids"), config),
        source_pieces=_pieces(held, SOURCE_PIECES),
        target_pieces=_pieces(held, TARGET_PIECES),
    )


def _pieces(held: GivenFiles, name: str) -> SentencePiece | None:
    """Return the tokenizer in a file, None if the file is missing."""
    return SentencePiece.from_bytes(held.read(name)) if held.has(name) else None


def _id(raw: dict[str, Any], name: str, config: Config) -> int:
    """Return an id of the target's vocabulary, which may also be given as a list of one id."""
    value = raw.get(name)
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if type(value) is not int or not 0 <= value < config.target_vocabulary:
        raise CheckpointError(f"The config's {name} is no word of the target: {value!r:.40}.")
    return value


def _forbidden_tokens(raw: Any, config: Config) -> tuple[int, ...]:
    """Return the forbidden sequences of one token; longer sequences are ignored."""
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
    """Return the token of a language at the start of a text, such as ``>>de<<``, and the rest."""
    close = text.find("<<") + 2
    if text.startswith(">>") and close > 2:
        return [text[:close]], text[close:]
    return [], text
