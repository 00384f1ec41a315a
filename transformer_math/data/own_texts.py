"""Reads the user's own texts, one on each line, as training data of a model with one stack."""

from __future__ import annotations

from typing import Literal

from transformer_math.data.given import texts_in
from transformer_math.data.report import checked, too_many_words
from transformer_math.data.text_checks import MAX_PAIRS, BadLine
from transformer_math.data.texts import CHARACTER_MASK, MASK, Texts, blanks, next_words
from transformer_math.data.tokenizer import Unit

Task = Literal["next-word", "blanks"]


def read_lines(text: str, task: Task, seed: int = 0, unit: Unit = "word") -> Texts:
    """Return texts for learning next words, or words that are replaced by blanks.

    Blank lines and duplicate lines are ignored. A tenth of the texts is held out, at least 1 and at
    most 1,000. The text that a model writes is right if it is one of the texts.

    Args:
        text: the content of the file, a text on each line.
        task: ``next-word`` for a decoder-only model, ``blanks`` for an encoder-only model.
        seed: seed of the choice of held-out texts.
        unit: ``word`` or ``character``.

    Raises:
        BadLine: a line has more than 64 words or characters, a word of more than 24 characters, a
            control character, or a special token.
        ValueError: there are more than 20,000 texts, fewer than two, or more than 5,000 different
            words.
    """
    found, report = checked(texts_in(text), unit, blank=blank_of(task, unit))
    if report.unread:
        raise ValueError(f"There are more texts than the {MAX_PAIRS:,} that can be read.")
    if report.skipped:
        raise BadLine(*report.skipped[0])
    texts = list(dict.fromkeys(row[0] for row in found))
    if len(texts) < 2:
        raise ValueError(
            "Two different texts are needed at least, one to learn from and one to hold out: "
            "write each on a line of its own."
        )
    if unit == "word" and (problem := too_many_words(report)):
        raise ValueError(problem)
    make, name = (next_words, "own lines") if task == "next-word" else (blanks, "own blanks")
    return make(texts, unit=unit, seed=seed, name=name, allowed=texts)


def blank_of(task: Task, unit: Unit) -> str | None:
    """Return the token of a blank, which no text may contain; None for other tasks."""
    if task != "blanks":
        return None
    return MASK if unit == "word" else CHARACTER_MASK
