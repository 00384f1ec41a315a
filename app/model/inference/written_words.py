"""Computes the probabilities of the words that a model wrote, and finds the new words."""

from collections.abc import Sequence
from difflib import SequenceMatcher

from transformer_math import Trace

from ..scenario.scenario import Scenario
from .writing import PROBABILITIES


def word_probabilities(scenario: Scenario, trace: Trace) -> list[float | None]:
    """Return the predicted probability of each token of the target; None for the start."""
    rows = trace[PROBABILITIES].value
    ids = scenario.ids("target")
    return [None, *(float(rows[at, token]) for at, token in enumerate(ids[1:]))]


def end_probability(scenario: Scenario, trace: Trace) -> float:
    """Return the probability of the end after the last word of the target."""
    column = scenario.target_vocabulary.index(scenario.vocabulary.end or "")
    return float(trace[PROBABILITIES].value[-1, column])


def changed_words(before: Sequence[str], now: Sequence[str]) -> list[bool]:
    """Return whether each word is new since the previous sentence; a shifted word is not new."""
    if before == now:
        return [False] * len(now)
    found = [True] * len(now)
    matcher = SequenceMatcher(None, before, now, autojunk=False)
    for _, start, size in matcher.get_matching_blocks():
        found[start : start + size] = [False] * size
    return found


def moved_position(before: Sequence[str], now: Sequence[str], at: int) -> int:
    """Return the position in ``now`` that corresponds to position ``at`` in ``before``.

    A replaced word corresponds to its replacement; a removed word to the one before it.
    """
    matcher = SequenceMatcher(None, before, now, autojunk=False)
    for _, start, end, new_start, new_end in matcher.get_opcodes():
        if start <= at < end:
            last = new_end - 1 if new_end > new_start else new_start - 1
            return max(0, min(new_start + at - start, last))
    return max(0, min(at, len(now) - 1))
