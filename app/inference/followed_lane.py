"""Finds the lane of a token again after a change of the text."""

from __future__ import annotations

from ..scenario.scenario import Scenario
from .written_words import moved_position


def lane_after(stack: str, position: int, before: Scenario, now: Scenario) -> int | None:
    """The position of a lane after a change; None if its token or model is gone.

    Args:
        stack: ``encoder`` or ``decoder``.
        position: the lane's position among the tokens of its stack before the change.
        before: the scenario before the change.
        now: the scenario after it, which may be the same.
    """
    old, new = _lanes(stack, before), _lanes(stack, now)
    if before.model != now.model or position >= len(old) or not new:
        return None
    if old == new:
        return position
    at = moved_position(old, new, position)
    is_gone = len(new) < len(old) and new[at] != old[position]
    return None if is_gone else at


def _lanes(stack: str, scenario: Scenario) -> tuple[str, ...]:
    settings = scenario.settings
    if stack == "encoder":
        return tuple(scenario.source) if settings.encoder_layers else ()
    return tuple(scenario.target) if settings.decoder_layers else ()
