"""Decides whether a change of words makes a new text or only edits the present one."""

from difflib import SequenceMatcher

from ..scenario.scenario import Scenario

LEAST_KEPT = 0.6  # if a smaller share of the shorter text's words remains, the text is new
LEAST_OTHERS = 2  # with fewer replaced words, the text is not new


def is_other_text(before: Scenario, now: Scenario) -> bool:
    """Return whether the model reads a new text, rather than the old text with a few new words.

    Compare the sources; without a source, the targets, unless the model writes them itself. A
    single replaced word does not make a new text.
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
