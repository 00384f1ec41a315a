"""A model's vocabulary: its tokens, special tokens and tokenization."""

import dataclasses
import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from transformer_math.checkpoints.sentencepiece import SentencePiece
from transformer_math.data.pairs import Pairs
from transformer_math.data.tokenizer import EOS, PAD, SOS, Unit

from .tokens import checked_tokens, known_tokens

Side = Literal["source", "target"]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The tokens of both sides, in the order of the rows of the embedding tables."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    start: str | None = None  # decoding starts from it; None if unknown
    end: str | None = None  # None if unknown
    pad: str | None = None  # masked as a key; None if there is none
    unit: Unit = "character"
    forbidden: tuple[str, ...] = ()  # tokens that the model did not learn to generate
    closed: bool = True  # if false, other tokens can be typed and get rows drawn from the seed
    of_text: bool = False  # whether these are only the tokens of the text of an untrained model
    pieces: SentencePiece | None = field(default=None, compare=False, repr=False)
    target_pieces: SentencePiece | None = field(default=None, compare=False, repr=False)
    _rows: Mapping[str, Mapping[str, int]] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        rows = {
            side: {token: i for i, token in enumerate(self.tokens(side))}
            for side in ("source", "target")
        }
        object.__setattr__(self, "_rows", rows)

    def tokens(self, side: Side) -> tuple[str, ...]:
        """Return the tokens of one side."""
        return self.source if side == "source" else self.target

    def row(self, side: Side, token: str | None) -> int | None:
        """Return the id of a token on a side; None if the side does not have it."""
        return None if token is None else self._rows[side].get(token)

    def ids(self, side: Side, tokens: Iterable[str]) -> list[int]:
        """Return the ids of tokens on a side; ``KeyError`` if the vocabulary lacks one."""
        rows = self._rows[side]
        return [rows[token] for token in tokens]

    @property
    def unit_name(self) -> str:
        """What one token is called: ``word``, ``character``, or else ``token``."""
        special = {self.start, self.end, self.pad}
        is_spelled = all(len(token) == 1 for token in self.source if token not in special)
        if self.pieces is None and (self.unit == "word" or is_spelled):
            return self.unit
        return "token"

    @property
    def forbidden_ids(self) -> list[int]:
        """The target ids that are never generated."""
        rows = (self.row("target", token) for token in self.forbidden)
        return [row for row in rows if row is not None]

    def pad_id(self, side: Side) -> int | None:
        """Return the id of the padding that is masked; None if there is none."""
        # Marian starts decoding from <pad>, so there that token must not be masked.
        starts = side == "target" and self.start == self.pad
        return None if starts else self.row(side, self.pad)

    def checked(self, side: Side, tokens: Iterable[str]) -> tuple[str, ...]:
        """Return the tokens, if they are allowed on a side; else ``ValueError`` names the limit."""
        if self.closed:
            return known_tokens(tokens, side, self.tokens(side))
        return checked_tokens(tokens, side)

    def unlearned(self, side: Side, tokens: Iterable[str]) -> tuple[str, ...]:
        """Return the tokens without a row in the table, each once, in order of appearance."""
        rows = self._rows[side]
        return tuple(dict.fromkeys(token for token in tokens if token not in rows))


def side_of(path: str, has_decoder: bool) -> Side:
    """Return the side of the tokens along the token axis of a tensor, such as ``source.W_e``."""
    if path == "source.W_e" or (path != "target.W_e" and not has_decoder):
        return "source"
    return "target"


@functools.lru_cache(maxsize=64)  # called often for the same scenario; the result is immutable
def open_vocabulary(
    source: tuple[str, ...], answers: tuple[str, ...], target: tuple[str, ...], shared: bool
) -> Vocabulary:
    """Return the distinct tokens of a text, in order of appearance.

    The ``answers`` come before the other words of the target. If ``shared``, both sides have one
    embedding table.
    """
    written = tuple(dict.fromkeys((*answers, *target)))
    read = tuple(dict.fromkeys((*source, *written) if shared else source))
    both = (read, read) if shared else (read, written)
    return Vocabulary(*both, SOS, EOS, PAD, "word", closed=False, of_text=True)


@functools.lru_cache(maxsize=64)
def extended(own: Vocabulary, source: tuple[str, ...], target: tuple[str, ...]) -> Vocabulary:
    """Return a vocabulary extended by rows for the tokens of a text that are not learned."""
    more = own.unlearned("source", source), own.unlearned("target", target)
    if not any(more):
        return own
    return dataclasses.replace(own, source=own.source + more[0], target=own.target + more[1])


def vocabulary_of_pairs(pairs: Pairs) -> Vocabulary:
    """Return the characters or words of training pairs, and the special tokens.

    A vocabulary of words is open to other words; one of characters is closed.
    """
    source, target = pairs.source_tokenizer.tokens, pairs.target_tokenizer.tokens
    closed = pairs.unit == "character"
    return Vocabulary(source, target, SOS, EOS, PAD, pairs.unit, closed=closed)
