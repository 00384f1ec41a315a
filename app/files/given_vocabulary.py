"""Converts a model's vocabulary, which a program may pass in any of several forms."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from transformer_math import Config
from transformer_math.checkpoints.vocabulary import checked_words, in_order, read_words
from transformer_math.data.pairs import Pairs
from transformer_math.data.tokenizer import Tokenizer, Unit

from ..model.scenario.vocabulary import Side, Vocabulary

# The usual names of special tokens, for vocabularies that do not specify them.
_STARTS = ("<sos>", "<bos>", "<s>", "[BOS]", "[CLS]")
_ENDS = ("<eos>", "</s>", "[EOS]", "[SEP]")
_PADS = ("<pad>", "<blank>", "[PAD]")
SHOWN_FIRST = 4  # initial tokens of a model without a known text


def vocabulary_of(given: Any, config: Config) -> Vocabulary:
    """Return the vocabulary of a model, with its tokens in the order of the embedding rows.

    Args:
        given: tokens, a dict token -> id, the path of a file with tokens, or a `Tokenizer`, for
            both sides or as a pair; the `Pairs` on which the model was trained; or a `Vocabulary`,
            which also specifies start and end tokens. With None, the ids are used as tokens.
        config: the model's settings.

    Raises:
        TypeError: the vocabulary is of an unsupported type.
        ValueError: a token is duplicated, or the number of tokens differs from the tables' rows.
    """
    if isinstance(given, Vocabulary):
        own = replace(given, pad=given.pad or _pad(config, given))
    else:
        own = _made(given, config)
    rows = {"source": config.source_vocabulary, "target": config.target_vocabulary}
    stacks = {"source": config.encoder_layers, "target": config.decoder_layers}
    sides: tuple[Side, Side] = ("source", "target")
    for side in sides:
        found = own.tokens(side)
        if stacks[side] and len(found) != rows[side]:
            raise ValueError(
                f"The vocabulary has {len(found):,} tokens for the {side}, and the model's table "
                f"has {rows[side]:,} rows."
            )
    return own


def _made(given: Any, config: Config) -> Vocabulary:
    if given is None:
        source = tuple(map(str, range(config.source_vocabulary)))
        target = tuple(map(str, range(config.target_vocabulary)))
        unit: Unit = "word"
    else:
        if isinstance(given, Pairs):
            given = (given.source_tokenizer, given.target_tokenizer)
        both = given if _is_pair(given) else (given, given)
        source, target = (_tokens(each) for each in both)
        unit = _unit(both[0], source)
    own = Vocabulary(source, target, unit=unit)
    return replace(with_usual_names(own), pad=_pad(config, own))


def with_usual_names(own: Vocabulary) -> Vocabulary:
    """Fill in missing start, end and padding tokens of a vocabulary by their usual names."""

    def named(names: tuple[str, ...], tokens: tuple[str, ...]) -> str | None:
        return next((name for name in names if name in tokens), None)

    return replace(
        own,
        start=own.start or named(_STARTS, own.target),
        end=own.end or named(_ENDS, own.target),
        pad=own.pad or named(_PADS, own.source),
    )


def ordinary(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Return the tokens without special tokens, which are in brackets."""
    return tuple(token for token in tokens if not (token[:1] in "<[" and token[-1:] in ">]"))


def _is_pair(given: Any) -> bool:
    """Return whether a value is a pair of vocabularies rather than a vocabulary of two tokens."""
    return isinstance(given, tuple) and len(given) == 2 and not isinstance(given[0], str)


def _tokens(given: Any) -> tuple[str, ...]:
    if isinstance(given, Tokenizer):
        return given.tokens
    if isinstance(given, PathLike):
        return read_words(Path(given).read_bytes(), Path(given).name)
    if isinstance(given, Mapping):
        return in_order(given)
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise TypeError(
            f"A vocabulary is a list of tokens, a Tokenizer or Pairs, not a {type(given).__name__}."
        )
    return checked_words(given)


def _unit(given: Any, tokens: tuple[str, ...]) -> Unit:
    """Return ``character`` if all tokens without brackets are single characters, else ``word``."""
    if isinstance(given, Tokenizer):
        return given.unit
    plain = ordinary(tokens)
    is_characters = bool(plain) and all(len(token) == 1 for token in plain)
    return "character" if is_characters else "word"


def _pad(config: Config, own: Vocabulary) -> str | None:
    """Return the token that the model masks as padding; None if it masks no token."""
    for side, row in (("source", config.source_pad), ("target", config.target_pad)):
        tokens = own.source if side == "source" else own.target
        if row is not None and row < len(tokens):
            return tokens[row]
    return None
