"""Finds the correct translation of a source, if it is known, and compares the output with it."""

from collections.abc import Sequence

from ..scenario.scenario import Scenario
from .text import can_translate, data_of, joined_text, text_of

MOST_WRONG = 3  # if more words are wrong, the sentence states the whole correct text


def right_text(scenario: Scenario) -> str | None:
    """Return the correct target of the source; None if the model's data do not determine one.

    If several are correct, return the target that the model writes, or else the first. Raise
    ``ValueError`` with one sentence if the source has no valid target.
    """
    data = data_of(scenario) if can_translate(scenario) else None
    if data is None:
        return None
    answers, written = data.answers(text_of(scenario)), joined_text(scenario, scenario.target)
    return written if written in answers else next(iter(answers), None)


def known_right_text(scenario: Scenario) -> str | None:
    """Return the correct target of the source; None if it is unknown or does not exist."""
    try:
        return right_text(scenario)
    except ValueError:
        return None


def right_target(scenario: Scenario) -> tuple[str, ...] | None:
    """Return the correct target without start and end; None if unknown or not in the vocabulary."""
    right = known_right_text(scenario)
    if right is None:
        return None
    tokens = tuple(right.split() if scenario.vocabulary.unit == "word" else right)
    known = scenario.target_vocabulary
    return tokens if all(token in known for token in tokens) else None


def verdict(scenario: Scenario, right: str | None, words: Sequence[str], finished: bool) -> str:
    """Return a sentence on whether the words of a target are correct; empty if that is unknown."""
    if right is None:
        return ""
    if finished and joined_text(scenario, tuple(words)) == right:
        return "✓ right"
    return f"✗ {_difference(scenario, words, right)}"


def _difference(scenario: Scenario, words: Sequence[str], right: str) -> str:
    """Return a phrase with the wrong words if they are adjacent and few, else the correct text."""
    in_full = f"should be: {right}"
    if scenario.vocabulary.unit != "word" or scenario.vocabulary.pieces is not None:
        return in_full
    written, wanted = joined_text(scenario, tuple(words)).split(), right.split()
    start = _common(written, wanted)
    end = _common(written[start:][::-1], wanted[start:][::-1])
    wrong = written[start : len(written) - end]
    missing = wanted[start : len(wanted) - end]
    if not wrong and not missing:
        return f"no end after “{right}”"
    if max(len(wrong), len(missing)) > MOST_WRONG:
        return in_full
    if not missing:
        return f"“{' '.join(wrong)}” is too much"
    if not wrong:
        return f"“{' '.join(missing)}” is missing"
    return f"“{' '.join(wrong)}” should be “{' '.join(missing)}”"


def _common(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the length of the common prefix of two sentences."""
    pairs = enumerate(zip(first, second, strict=False))
    return next((k for k, (a, b) in pairs if a != b), min(len(first), len(second)))
