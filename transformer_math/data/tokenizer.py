"""Text to token ids and back: one token for each character, then the three special tokens."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

SOS, EOS, PAD = "<sos>", "<eos>", "<pad>"
SPECIAL = (SOS, EOS, PAD)
_LISTED = 40  # how many characters and ranges a sentence lists before it says "more"


class UnknownCharacter(ValueError):
    """A character that has no token.

    Attributes:
        character: the character.
        position: its index in the text, from 0; the message counts from 1.
    """

    def __init__(self, character: str, position: int, alphabet: str) -> None:
        super().__init__(
            f"Character {position + 1} is {shown(character)}, which has no token; "
            f"what may be typed is {alphabet}."
        )
        self.character = character
        self.position = position


@dataclass(frozen=True)
class Tokenizer:
    """A token for each character of an alphabet; a token's id is its index.

    Attributes:
        tokens: the characters in order, then ``<sos>``, ``<eos>`` and ``<pad>``.

    Raises:
        ValueError: the tokens are not distinct single characters, at least one, and then the
            special tokens.
    """

    tokens: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokens", tuple(self.tokens))
        characters = self.tokens[: -len(SPECIAL)]
        if self.tokens[-len(SPECIAL) :] != SPECIAL:
            raise ValueError(f"The last tokens are {', '.join(SPECIAL)}, in this order.")
        if not characters or any(len(character) != 1 for character in characters):
            raise ValueError("Before the special tokens stand single characters, at least one.")
        if len(set(characters)) != len(characters):
            raise ValueError("Each character has one token, and one stands there twice.")

    @classmethod
    def of_texts(cls, texts: Iterable[str]) -> Tokenizer:
        """The tokenizer of all the characters in these texts, in the order of Unicode.

        Raises:
            ValueError: the texts have no character.
        """
        characters: set[str] = set()
        for text in texts:
            characters.update(text)
        return cls((*sorted(characters), *SPECIAL))

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def size(self) -> int:
        """How many tokens there are, the special ones included."""
        return len(self.tokens)

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
        return {character: i for i, character in enumerate(self.tokens[: self.start])}

    @cached_property
    def alphabet(self) -> str:
        """What may be typed, in words: ``0–9, A–Z, a–z, '-', ',' and the space``."""
        parts = list(_ranges(self.tokens[: self.start]))
        if len(parts) > _LISTED:
            more = self.start - sum(count for _, count in parts[:_LISTED])
            parts = [*parts[:_LISTED], (f"{more:,} more", more)]
        words = [word for word, _ in parts]
        return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)

    def encode(self, text: str, length: int | None = None) -> list[int]:
        """``<sos>``, a token for each character, ``<eos>``, then ``<pad>`` up to ``length`` ids.

        Raises:
            UnknownCharacter: a character has no token.
            ValueError: the text and its two special tokens do not fit in ``length``.
        """
        if length is not None and len(text) + 2 > length:
            if length < 2:
                raise ValueError(f"{SOS} and {EOS} need a length of at least 2, not {length}.")
            raise ValueError(f"The text has {len(text):,} characters; at most {length - 2} fit.")
        try:
            ids = [self.start, *map(self._ids.__getitem__, text), self.end]
        except KeyError:
            at = next(i for i, character in enumerate(text) if character not in self._ids)
            raise UnknownCharacter(text[at], at, self.alphabet) from None
        return ids + [self.pad] * ((length or 0) - len(ids))

    def decode(self, ids: Iterable[int]) -> str:
        """The characters up to the first ``<eos>``; ``<sos>`` and ``<pad>`` are left out.

        Raises:
            ValueError: an id before that is none of the vocabulary's.
        """
        characters = []
        for token in ids:
            if not 0 <= token < self.size:
                raise ValueError(f"A token's id lies from 0 to {self.size - 1}, not {token}.")
            if token == self.end:
                break
            if token < self.start:
                characters.append(self.tokens[token])
        return "".join(characters)


def shown(character: str) -> str:
    """A character as a sentence names it: what cannot be seen goes by its code point."""
    if character == " ":
        return "the space"
    if not character.isprintable():
        return f"U+{ord(character):04X}"
    return '"\'"' if character == "'" else f"'{character}'"


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
