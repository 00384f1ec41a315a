"""Text to token ids and back: a token for each character or word, then the special tokens."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

SOS, EOS, PAD = "<sos>", "<eos>", "<pad>"
SPECIAL = (SOS, EOS, PAD)
Unit = Literal["character", "word"]
_LISTED = 40  # how many characters, ranges or words a sentence lists before it says "more"
_SHOWN = 24  # how many characters of a word a sentence shows


class UnknownToken(ValueError):
    """A character or word that has no token.

    Attributes:
        token: the character or word.
        position: its index among those of the text, from 0; the message counts from 1.
    """

    def __init__(self, token: str, position: int, tokenizer: Tokenizer) -> None:
        super().__init__(
            f"{tokenizer.unit.capitalize()} {position + 1} is {shown(token)}, which has no token; "
            f"what may be typed is {tokenizer.alphabet}."
        )
        self.token = token
        self.position = position


@dataclass(frozen=True)
class Tokenizer:
    """A token for each character of an alphabet, or for each word; a token's id is its index.

    Words are what stands between blanks.

    Attributes:
        tokens: the characters or words in order, then ``<sos>``, ``<eos>`` and ``<pad>``.
        unit: what one token is.
        framed: whether a text's ids begin with ``<sos>`` and end in ``<eos>``.

    Raises:
        ValueError: the tokens are not distinct single characters or words without blanks, at least
            one, and then the special tokens.
    """

    tokens: tuple[str, ...]
    unit: Unit = "character"
    framed: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokens", tuple(self.tokens))
        if self.unit not in ("character", "word"):
            raise ValueError(f"The unit is character or word, not {self.unit!r}.")
        known = self.tokens[: -len(SPECIAL)]
        if self.tokens[-len(SPECIAL) :] != SPECIAL:
            raise ValueError(f"The last tokens are {', '.join(SPECIAL)}, in this order.")
        if self.unit == "character" and not (known and all(len(token) == 1 for token in known)):
            raise ValueError("Before the special tokens stand single characters, at least one.")
        if self.unit == "word" and not (known and all(token.split() == [token] for token in known)):
            raise ValueError("Before the special tokens stand words without blanks, at least one.")
        if len(set(self.tokens)) != len(self.tokens):
            raise ValueError(f"Each {self.unit} has one token, and one stands there twice.")

    @classmethod
    def of_texts(
        cls, texts: Iterable[str], unit: Unit = "character", *, framed: bool = True
    ) -> Tokenizer:
        """The tokenizer of all the characters or words in these texts, in the order of Unicode.

        Raises:
            ValueError: the texts have none, or a word that is a special token.
        """
        found: set[str] = set()
        for text in texts:
            found.update(units(text, unit))
        return cls((*sorted(found), *SPECIAL), unit, framed)

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def size(self) -> int:
        """How many tokens there are, the special ones included."""
        return len(self.tokens)

    @property
    def frame(self) -> int:
        """How many special tokens a text's ids have around it."""
        return 2 if self.framed else 0

    @property
    def start(self) -> int:
        """The id of ``<sos>``."""
        return self.size - 3

    @property
    def end(self) -> int:
        """The id of ``<eos>``."""
        return self.size - 2

    @property
    def pad(self) -> int:
        """The id of ``<pad>``."""
        return self.size - 1

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {token: i for i, token in enumerate(self.tokens[: self.start])}

    @cached_property
    def alphabet(self) -> str:
        """What may be typed, in words: ``0–9, A–Z, a–z, '-', ',' and the space``."""
        known = self.tokens[: self.start]
        of_words = self.unit == "word"
        parts = [(shown(word), 1) for word in known] if of_words else list(_ranges(known))
        if len(parts) > _LISTED:
            more = self.start - sum(count for _, count in parts[:_LISTED])
            parts = [*parts[:_LISTED], (f"{more:,} more", more)]
        words = [word for word, _ in parts]
        return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)

    def encode(self, text: str, length: int | None = None) -> list[int]:
        """A token for each character or word, then ``<pad>`` up to ``length`` ids.

        A framed text has ``<sos>`` before and ``<eos>`` after it.

        Raises:
            UnknownToken: a character or word has no token.
            ValueError: the text and its frame do not fit in ``length``.
        """
        found = units(text, self.unit)
        if length is not None and len(found) + self.frame > length:
            if length < self.frame:
                raise ValueError(f"{SOS} and {EOS} need a length of at least 2, not {length}.")
            raise ValueError(
                f"The text has {len(found):,} {self.unit}s; at most {length - self.frame} fit."
            )
        try:
            ids = [self._ids[token] for token in found]
        except KeyError:
            at = next(i for i, token in enumerate(found) if token not in self._ids)
            raise UnknownToken(found[at], at, self) from None
        if self.framed:
            ids = [self.start, *ids, self.end]
        return ids + [self.pad] * ((length or 0) - len(ids))

    def decode(self, ids: Iterable[int]) -> str:
        """The text up to the first ``<eos>``; ``<sos>`` and ``<pad>`` are left out.

        Between words stands one space.

        Raises:
            ValueError: an id before that is none of the vocabulary's.
        """
        found = []
        for token in ids:
            if not 0 <= token < self.size:
                raise ValueError(f"A token's id lies from 0 to {self.size - 1}, not {token}.")
            if token == self.end:
                break
            if token < self.start:
                found.append(self.tokens[token])
        return ("" if self.unit == "character" else " ").join(found)


def units(text: str, unit: Unit) -> Sequence[str]:
    """The characters of a text, or its words."""
    return text if unit == "character" else text.split()


def shown(token: str) -> str:
    """A character or word as a sentence names it: what cannot be seen goes by its code point."""
    if token == " ":
        return "the space"
    if len(token) == 1 and not token.isprintable():
        return f"U+{ord(token):04X}"
    if len(token) > _SHOWN:
        token = f"{token[:_SHOWN]}…"
    seen = "".join(c if c.isprintable() else f"U+{ord(c):04X}" for c in token)
    return f'"{seen}"' if "'" in seen else f"'{seen}'"


def _ranges(characters: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    """Each character in words, three and more letters or digits in a row as one range.

    Yields the words and how many characters they stand for.
    """
    first = 0
    while first < len(characters):
        stop = first + 1
        while stop < len(characters) and _follows(characters[stop - 1], characters[stop]):
            stop += 1
        if stop - first > 2:
            yield f"{characters[first]}–{characters[stop - 1]}", stop - first
        else:
            stop = first + 1
            character = characters[first]
            yield (character if character.isalnum() else shown(character)), 1
        first = stop


def _follows(before: str, after: str) -> bool:
    return before.isalnum() and after.isalnum() and ord(after) == ord(before) + 1


# The 68 tokens of the date translator: a digit's id is its value.
DATES = Tokenizer(
    (*string.digits, *string.ascii_uppercase, *string.ascii_lowercase, "-", ",", " ", *SPECIAL)
)
