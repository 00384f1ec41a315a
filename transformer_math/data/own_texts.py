"""Texts of one's own, one on each line, of which a model of one stack learns."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Literal

from transformer_math.data.pairs import (
    MAX_HELD_OUT,
    MAX_PAIRS,
    BadLine,
    check_side,
    check_text,
    check_words,
)
from transformer_math.data.texts import CHARACTER_MASK, MASK, Texts, blanks, next_words
from transformer_math.data.tokenizer import Unit, units

Task = Literal["next-word", "blanks"]


def read_lines(text: str, task: Task, seed: int = 0, unit: Unit = "word") -> Texts:
    """Texts of which the next words are learned, or words that are left out.

    Blank lines are ignored, and a line that stands twice counts once. A tenth of the texts is held
    out, at least 1 and at most 1,000. What a model writes is right if it is one of the texts.

    Args:
        text: the content of the file, a text on each line.
        task: ``next-word`` for a decoder-only model, ``blanks`` for an encoder-only one.
        seed: seed of the choice of held-out texts.
        unit: ``word`` or ``character``.

    Raises:
        BadLine: a line has more than 64 words or characters, a word of more than 24 characters, a
            control character, or a special token.
        ValueError: there are more than 20,000 texts, fewer than two, or more than 5,000 different
            words.
    """
    texts = list(dict.fromkeys(_lines(text, task, unit)))
    if len(texts) < 2:
        raise ValueError(
            "Two different texts are needed at least, one to learn from and one to hold out: "
            "write each on a line of its own."
        )
    apart = min(max(len(texts) // 10, 1), MAX_HELD_OUT)
    make, name = (next_words, "own lines") if task == "next-word" else (blanks, "own blanks")
    found: Texts = make(texts, unit=unit, held_out=apart, seed=seed, name=name, allowed=texts)
    if unit == "word":
        check_words("text", found.target_tokenizer)
    return found


def _lines(text: str, task: Task, unit: Unit) -> Iterator[str]:
    count = 0
    mask = MASK if unit == "word" else CHARACTER_MASK
    for line, content in enumerate(io.StringIO(text.removeprefix("\ufeff"), newline=None), 1):
        given = content.strip()
        if not given:
            continue
        check_text(line, given, unit)
        tokens = units(given, unit)
        check_side(line, "text", tokens, unit)
        if task == "blanks" and mask in tokens:
            raise BadLine(
                line,
                f"Line {line} has {mask}, which stands for a blank: give whole texts, the blanks "
                "are drawn.",
            )
        count += 1
        if count > MAX_PAIRS:
            raise ValueError(f"There are more texts than the {MAX_PAIRS:,} that can be read.")
        yield " ".join(tokens) if unit == "word" else given
