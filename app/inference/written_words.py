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


def changed_words(before: Sequence[str], now: Sequence[str]) -> list[bool]:
    """Which words of a sentence were not in the one before; a word that only moved is not new."""
    found = [True] * len(now)
    matcher = SequenceMatcher(None, before, now, autojunk=False)
    for _, start, size in matcher.get_matching_blocks():
        found[start : start + size] = [False] * size
    return found
