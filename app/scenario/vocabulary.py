"""The tokens that a model reads and writes, and what it knows of them."""

from __future__ import annotations

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
    """The tokens of both sides, in the order of the rows of the embedding tables.

    Attributes:
        source: the token of each row of the source's table.
        target: the same for the target.
        start: the token that decoding starts from; None where that is not known.
        end: the token that ends an answer.
        pad: the token that fills up and is masked as a key.
        unit: what one token is when text is typed.
        forbidden: tokens that no answer has, because the model was never trained to write them.
        closed: whether these are all the tokens there can be; else there is a row, drawn from the
            seed, for whatever else is typed.
        of_text: whether these are no more than the tokens of a text, and nothing was trained.
        pieces: how a text is cut into tokens of the source, where that is known.
        target_pieces: the same of the target.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    start: str | None = None
    end: str | None = None
    pad: str | None = None
    unit: Unit = "character"
    forbidden: tuple[str, ...] = ()
    closed: bool = True
    of_text: bool = False
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
        """The tokens of one side."""
        return self.source if side == "source" else self.target

    def row(self, side: Side, token: str | None) -> int | None:
        """Where a token stands in the table of a side; None if it does not."""
        return None if token is None else self._rows[side].get(token)

    def ids(self, side: Side, tokens: Iterable[str]) -> list[int]:
        """Tokens as rows of the table of a side.

        Raises:
            KeyError: it has no such token.
        """
        rows = self._rows[side]
        return [rows[token] for token in tokens]

    @property
    def forbidden_ids(self) -> list[int]:
        """The rows of the target's table that are never written."""
        rows = (self.row("target", token) for token in self.forbidden)
        return [row for row in rows if row is not None]

    def pad_id(self, side: Side) -> int | None:
        """The row of padding, which is masked; None where there is none."""
        # Where decoding starts from <pad>, as in Marian, that one must be seen.
        starts = side == "target" and self.start == self.pad
        return None if starts else self.row(side, self.pad)

    def checked(self, side: Side, tokens: Iterable[str]) -> tuple[str, ...]:
        """The tokens, if one side of a text may be these.

        Raises:
            ValueError: too many, too long, none, or one that a closed vocabulary does not have;
                one sentence that names the limit.
        """
        if self.closed:
            return known_tokens(tokens, side, self.tokens(side))
        return checked_tokens(tokens, side)

    def unlearned(self, side: Side, tokens: Iterable[str]) -> tuple[str, ...]:
        """Those of these tokens that have no row, each once, in order of appearance."""
        rows = self._rows[side]
        return tuple(dict.fromkeys(token for token in tokens if token not in rows))


def side_of(path: str, has_decoder: bool) -> Side:
    """Whose tokens the token axis of a stored tensor has, such as that of ``source.W_e``."""
    if path == "source.W_e" or (path != "target.W_e" and not has_decoder):
        return "source"
    return "target"


@functools.lru_cache(maxsize=64)  # asked for many times of each scenario; nothing in it can change
def open_vocabulary(
    source: tuple[str, ...], answers: tuple[str, ...], target: tuple[str, ...], shared: bool
) -> Vocabulary:
    """The distinct tokens of a text, in order of appearance.

    Args:
        source: the tokens of the source.
        answers: words that the model may answer with, before those that only the target has.
        target: the tokens of the target.
        shared: whether both sides have one table.
    """
    written = tuple(dict.fromkeys((*answers, *target)))
    read = tuple(dict.fromkeys((*source, *written) if shared else source))
    both = (read, read) if shared else (read, written)
    return Vocabulary(*both, SOS, EOS, PAD, "word", closed=False, of_text=True)


@functools.lru_cache(maxsize=64)
def extended(own: Vocabulary, source: tuple[str, ...], target: tuple[str, ...]) -> Vocabulary:
    """A vocabulary with rows after its own for the tokens of a text that it has not learned."""
    more = own.unlearned("source", source), own.unlearned("target", target)
    if not any(more):
        return own
    return dataclasses.replace(own, source=own.source + more[0], target=own.target + more[1])


def vocabulary_of_pairs(pairs: Pairs) -> Vocabulary:
    """The characters or words of pairs to learn from, and the special tokens.

    Beside words others can be typed; characters are all that there are.
    """
    source, target = pairs.source_tokenizer.tokens, pairs.target_tokenizer.tokens
    closed = pairs.unit == "character"
    return Vocabulary(source, target, SOS, EOS, PAD, pairs.unit, closed=closed)
