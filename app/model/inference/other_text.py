"""Whether a change of the words is another text, or the same one with some other words."""

from difflib import SequenceMatcher

from ..scenario.scenario import Scenario

LEAST_KEPT = 0.6  # share of the words of the shorter one, in the same text
LEAST_OTHERS = 2  # words that are others, in another text


def is_other_text(before: Scenario, now: Scenario) -> bool:
    """Whether a model is given other words, and not the same with some more, fewer or replaced.

    The source is compared; without one the target, unless the model writes that itself. One
    replaced word does not make another text.
    """
    if (before.source, before.target) == (now.source, now.target):
        return False
    old, new = _given(before), _given(now)
    if before.model != now.model or _has_source(before) != _has_source(now) or old == new:
        return False
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    kept, count = sum(block.size for block in blocks), min(len(old), len(new))
    return count - kept >= LEAST_OTHERS and kept < LEAST_KEPT * count


def _has_source(scenario: Scenario) -> bool:
    return scenario.settings.has_encoder


def _given(scenario: Scenario) -> tuple[str, ...]:
    if _has_source(scenario):
        return scenario.source
    return () if scenario.writes_itself else scenario.target
