"""Finds the position of a followed token after the text changed."""

from ..scenario.scenario import Scenario
from .written_words import moved_position

_CHOSEN = ("edits", "silences", "settings", "training", "writes_itself")


def lane_after(stack: str, position: int, before: Scenario, now: Scenario) -> int | None:
    """Return the new position of a followed token; None if the token or the model was replaced."""
    old, new = _lanes(stack, before), _lanes(stack, now)
    if before.model != now.model or position >= len(old) or not new:
        return None
    if old == new:
        return position
    at = moved_position(old, new, position)
    is_gone = len(new) < len(old) and new[at] != old[position]
    return None if is_gone else at


def is_other_moment(before: Scenario, now: Scenario) -> bool:
    """Return whether two scenarios of one model and source are different moments of its training.

    Their weights or training steps differ, or only the words that the model writes.
    """
    if before.model != now.model or before.source != now.source:
        return False
    if before.weights is not now.weights or before.steps_taken != now.steps_taken:
        return True
    is_same = all(getattr(before, name) == getattr(now, name) for name in _CHOSEN)
    return is_same and before.target != now.target and now.writes_itself


def place_in(stack: str, position: int, scenario: Scenario) -> int | None:
    """Return a position, or the stack's last one if the text is shorter; None without tokens."""
    count = len(_lanes(stack, scenario))
    return min(position, count - 1) if count else None


def _lanes(stack: str, scenario: Scenario) -> tuple[str, ...]:
    settings = scenario.settings
    if stack == "encoder":
        return tuple(scenario.source) if settings.has_encoder else ()
    return tuple(scenario.target) if settings.has_decoder else ()
