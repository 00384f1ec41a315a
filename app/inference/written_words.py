"""What a model has written, word by word: how sure it was, and what is new in it."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from transformer_math import Trace

from ..scenario.scenario import Scenario

PROBABILITIES = "output.probabilities"


def word_probabilities(scenario: Scenario, trace: Trace) -> list[float | None]:
    """The probability that each token of the target was written with; None for the start."""
    rows = trace[PROBABILITIES].value
    ids = scenario.ids("target")
    return [None, *(float(rows[at, token]) for at, token in enumerate(ids[1:]))]


def end_probability(scenario: Scenario, trace: Trace) -> float:
    """The probability of the end after the last word of the target."""
    column = scenario.target_vocabulary.index(scenario.vocabulary.end or "")
    return float(trace[PROBABILITIES].value[-1, column])


def changed_words(before: Sequence[str], now: Sequence[str]) -> list[bool]:
    """Which words of a sentence were not in the one before; a word that only moved is not new."""
    found = [True] * len(now)
    matcher = SequenceMatcher(None, before, now, autojunk=False)
    for _, start, size in matcher.get_matching_blocks():
        found[start : start + size] = [False] * size
    return found


def moved_position(before: Sequence[str], now: Sequence[str], at: int) -> int:
    """Where a position of a sentence is in another one: with the same word, if that is still there.

    Where its word is gone, it is with the one before it; a word in the place of another counts as
    the same.
    """
    matcher = SequenceMatcher(None, before, now, autojunk=False)
    for _, start, end, new_start, new_end in matcher.get_opcodes():
        if start <= at < end:
            last = new_end - 1 if new_end > new_start else new_start - 1
            return max(0, min(new_start + at - start, last))
    return max(0, min(at, len(now) - 1))
