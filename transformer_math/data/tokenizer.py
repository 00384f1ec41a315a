"""Tokenizers with a token for each character or word, and three special tokens."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from transformer_math.arguments import checked, checked_settings
from transformer_math.checks import naming

SOS, EOS, PAD = "<sos>", "<eos>", "<pad>"
SPECIAL = (SOS, EOS, PAD)
Unit = Literal["character", "word"]
_LISTED = 40  # maximum number of characters, ranges or words that a message lists
_SHOWN = 24  # maximum number of characters of a word in a message


class UnknownToken(ValueError):
    """A character or word has no token.

    Attributes:
        token: the character or word.
        position: its index in the text, from 0.
    """

    def __init__(self, token: str, position: int, tokenizer: Tokenizer) -> None:
        super().__init__(
            f"The {tokenizer.unit} {shown(token)} has no token; "
            f"a text may have {tokenizer.alphabet}."
        )
        self.token = token
        self.position = position


@checked_settings("A tokenizer")
@dataclass(frozen=True)
class Tokenizer:
    """A tokenizer with a token for each character of an alphabet, or for each of a list of words.

    Words are separated by whitespace. The id of a token is its index.

    Attributes:
        tokens: the characters or words, then ``<sos>``, ``<eos>`` and ``<pad>``.
        unit: whether a token is a character or a word.
        framed: whether texts are encoded with ``<sos>`` before and ``<eos>`` after them.

    Raises:
        ValueError: two tokens are equal, the last tokens are not the special tokens, or the others
            are not one or more single characters (or words without whitespace).
    """

    tokens: tuple[str, ...]
    unit: Unit = "character"
    framed: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokens", tuple(self.tokens))
        known = self.tokens[: -len(SPECIAL)]
        if self.tokens[-len(SPECIAL) :] != SPECIAL:
            raise ValueError(f"The last tokens are {', '.join(SPECIAL)}, in this order.")
        if self.unit == "character" and not (known and all(len(token) == 1 for token in known)):
            raise ValueError("The special tokens follow single characters, at least one.")
        if self.unit == "word" and not (known and all(token.split() == [token] for token in known)):
            raise ValueError("The special tokens follow words without blanks, at least one.")
        if len(set(self.tokens)) != len(self.tokens):
            raise ValueError(f"Each {self.unit} has one token, and one of them is listed twice.")

    @classmethod
    @checked()
    def of_texts(
        cls, texts: Iterable[str], unit: Unit = "character", *, framed: bool = True
    ) -> Tokenizer:
        """Return the tokenizer of all characters or words in these texts, in the order of Unicode.

        Raises:
            ValueError: the texts are empty, or contain a special token as a word.
        """
        found: set[str] = set()
        for text in texts:
            found.update(units(text, unit))
        with naming("texts"):
            return cls((*sorted(found), *SPECIAL), unit, framed)

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def size(self) -> int:
        """The number of tokens, special tokens included."""
        return len(self.tokens)

    @property
    def special_count(self) -> int:
        """The number of special tokens around a text: 2 if it is framed, else 0."""
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
        """The alphabet for messages, such as ``0–9, A–Z, a–z, '-', ',' and the space``."""
        known = self.tokens[: self.start]
        of_words = self.unit == "word"
        parts = [(shown(word), 1) for word in known] if of_words else list(_ranges(known))
        if len(parts) > _LISTED:
            more = self.start - sum(count for _, count in parts[:_LISTED])
            parts = [*parts[:_LISTED], (f"{more:,} more", more)]
        words = [word for word, _ in parts]
        return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)

    @checked()
    def encode(self, text: str, length: int | None = None) -> list[int]:
        """Return the ids of a text, padded with ``<pad>`` to ``length``.

        Raises:
            UnknownToken: a character or word has no token.
            ValueError: the text and the special tokens around it do not fit in ``length``.
        """
        found = units(text, self.unit)
        if length is not None and len(found) + self.special_count > length:
            if length < self.special_count:
                raise ValueError(f"{SOS} and {EOS} need a length of at least 2, not {length}.")
            raise ValueError(
                f"The text has {len(found):,} {self.unit}s; "
                f"at most {length - self.special_count} fit."
            )
        try:
            ids = [self._ids[token] for token in found]
        except KeyError:
            at = next(i for i, token in enumerate(found) if token not in self._ids)
            raise UnknownToken(found[at], at, self) from None
        if self.framed:
            ids = [self.start, *ids, self.end]
        return ids + [self.pad] * ((length or 0) - len(ids))

    @checked()
    def decode(self, ids: Iterable[int]) -> str:
        """Return the text up to the first ``<eos>``, without ``<sos>`` and ``<pad>``.

        Words are separated by one space.

        Raises:
            ValueError: an id before ``<eos>`` is not in the vocabulary.
        """
        found = []
        for token in ids:
            if not 0 <= token < self.size:
                raise ValueError(f"ids holds numbers from 0 to {self.size - 1}, not {token}.")
            if token == self.end:
                break
            if token < self.start:
                found.append(self.tokens[token])
        return ("" if self.unit == "character" else " ").join(found)


def units(text: str, unit: Unit) -> Sequence[str]:
    """Return the characters or the words of a text."""
    return text if unit == "character" else text.split()


def shown(token: str) -> str:
    """Return a character or word for a message; invisible characters are written as code points."""
    if token == " ":
        return "the space"
    if len(token) == 1 and not token.isprintable():
        return f"U+{ord(token):04X}"
    if len(token) > _SHOWN:
        token = f"{token[:_SHOWN]}…"
    seen = "".join(c if c.isprintable() else f"U+{ord(c):04X}" for c in token)
    return f'"{seen}"' if "'" in seen else f"'{seen}'"


def _ranges(characters: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    """Yield characters for a message, with three or more successive letters or digits as a range.

    Yields:
        The text of a character or range, and the number of its characters.
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
    """Return whether two letters or digits are successive code points."""
    return before.isalnum() and after.isalnum() and ord(after) == ord(before) + 1


# The 68 tokens of the date translator; the id of a digit is its value.
DATES = Tokenizer(
    (*string.digits, *string.ascii_uppercase, *string.ascii_lowercase, "-", ",", " ", *SPECIAL)
)
