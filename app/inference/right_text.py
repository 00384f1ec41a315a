"""What a source should become, where that is known, and whether what is written is that."""

from __future__ import annotations

from collections.abc import Sequence

from ..scenario.scenario import Scenario
from .text import can_translate, data_of, joined_text, text_of


def right_text(scenario: Scenario) -> str | None:
    """The right target of the source; None where the model's data do not say.

    Raises:
        ValueError: the source has no meaning in them; one sentence.
    """
    data = data_of(scenario) if can_translate(scenario) else None
    return None if data is None else data.translate(text_of(scenario))


def known_right_text(scenario: Scenario) -> str | None:
    """The same; None also for a source without a meaning."""
    try:
        return right_text(scenario)
    except ValueError:
        return None


def right_target(scenario: Scenario) -> tuple[str, ...] | None:
    """The right target in the model's tokens, without its start and end; None if it has no such."""
    right = known_right_text(scenario)
    if right is None:
        return None
    tokens = tuple(right.split() if scenario.vocabulary.unit == "word" else right)
    known = scenario.target_vocabulary
    return tokens if all(token in known for token in tokens) else None


def verdict(scenario: Scenario, right: str | None, words: Sequence[str], finished: bool) -> str:
    """Whether these words of a target are right; nothing where that is not known."""
    if right is None:
        return ""
    if finished and joined_text(scenario, tuple(words)) == right:
        return "✓ right"
    return f"✗ right: {right}"
