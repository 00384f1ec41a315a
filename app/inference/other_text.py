"""Whether a change of the words is another text, or the same one with some other words."""

from __future__ import annotations

from difflib import SequenceMatcher

from ..scenario.scenario import Scenario

LEAST_KEPT = 0.6  # share of the words of the shorter one, in the same text


def is_other_text(before: Scenario, now: Scenario) -> bool:
    """Whether a model is given other words, and not the same with some more, fewer or replaced.

    What its decoder reads of its own writing does not count.
    """
    old, new = _given(before), _given(now)
    if before.model != now.model or old == new:
        return False
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) < LEAST_KEPT * min(len(old), len(new))


def _given(scenario: Scenario) -> tuple[str, ...]:
    return scenario.source if scenario.settings.encoder_layers else scenario.target
