"""Limits on training texts, and the checks of single texts of a file."""

from __future__ import annotations

import re
from typing import NamedTuple

from transformer_math.checks import check_whole
from transformer_math.data.tokenizer import SPECIAL, Unit, shown, units

MAX_PAIRS = 20_000
MAX_LENGTH = 64  # characters, or words, of a text
MAX_WORD = 24  # characters of a word
MAX_WORDS = 5_000  # different words on each side
MAX_HELD_OUT = 1_000
SIDES = ("source", "target")
# Control characters, line and paragraph separators, the replacement character, and unpaired
# surrogates. Every kind of space is text.
_NO_TEXT = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029\ufffd\ud800-\udfff]")


def held_out_count(total: int, given: int | None = None) -> int:
    """Return the number of held-out examples: by default a tenth, at most 1,000.

    Raises:
        ValueError: no example is left for training, or the number is below 1.
    """
    count = min(max(total // 10, 1), MAX_HELD_OUT) if given is None else given
    check_whole("held_out", count, 1, total - 1)
    return count


class Place(NamedTuple):
    """The place of a text in a file or list.

    Attributes:
        number: the number of the line, pair or row, from 1.
        kind: ``line`` of a file, ``pair`` of a list, or ``row`` of a typed table.
    """

    number: int
    kind: str = "line"

    def __str__(self) -> str:
        return f"{self.kind} {self.number:,}"

    @property
    def first(self) -> str:
        """The place as the first word of a sentence."""
        return str(self).capitalize()


class Skipped(NamedTuple):
    """A line that is not valid training data.

    Attributes:
        line: the number of the line, from 1.
        message: the reason, in one sentence with the line.
        kind: a word for the reason, the same for all lines with this fault.
    """

    line: int
    message: str
    kind: str


class BadLine(ValueError):
    """A line of a file is not valid training data.

    Attributes:
        line: the number of the line, from 1.
        kind: a word for the reason, the same for all lines with this fault.
    """

    def __init__(self, line: int, message: str, kind: str) -> None:
        super().__init__(line, message, kind)
        self.line = line
        self.kind = kind

    def __str__(self) -> str:
        return str(self.args[1])


def check_text(place: Place, side: str, text: str, unit: Unit) -> None:
    """Check the characters and words of one text.

    Args:
        place: the place of the text.
        side: ``source``, ``target`` or ``text``.
        text: the text.
        unit: whether a token is a character or a word.

    Raises:
        BadLine: the text is empty or too long, has a control character, or a word that is too long
            or a special token.
    """
    found, line = units(text, unit), place.number
    if not "".join(found).strip():
        raise BadLine(line, f"The {side} of {place} is empty.", f"empty {side}")
    if control := _NO_TEXT.search(text):
        what, at = shown(control[0]), control.start() + 1
        raise BadLine(
            line,
            f"The {side} of {place} has {what} as its character {at:,}, which is no text.",
            f"characters of the {side}",
        )
    if len(found) > MAX_LENGTH:
        raise BadLine(
            line,
            f"The {side} of {place} has {len(found):,} {unit}s; at most {MAX_LENGTH} are read.",
            f"length of the {side}",
        )
    for word in found if unit == "word" else ():
        if len(word) > MAX_WORD:
            raise BadLine(
                line,
                f"The {side} of {place} has a word of {len(word):,} characters, "
                f"{shown(word)}; at most {MAX_WORD} are read.",
                f"word of the {side}",
            )
        if word in SPECIAL:
            raise BadLine(
                line,
                f"The {side} of {place} has the word {word}, which stands for a special token.",
                f"special token of the {side}",
            )
