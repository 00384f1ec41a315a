"""What a page that is embedded with a lock lets nobody change."""

from __future__ import annotations

import dataclasses

from .scenario import Scenario

SETTINGS, ALL = "settings", "all"  # what can be locked

LOCKED = "Here one looks, points and lets numbers oscillate; nothing can be changed."
_OF_THE_MODEL = frozenset({"settings", "model", "locked", "data", "own_vocabulary", "recipe"})
_LOOKS = frozenset({"view"})


def refusal(lock: str, before: Scenario, after: Scenario) -> str:
    """Why a change is not made: a sentence, or nothing where it may be made.

    Args:
        lock: ``SETTINGS``, ``ALL`` or nothing.
        before: the present scenario.
        after: what it would be.
    """
    if not lock:
        return ""
    changed = {
        field.name
        for field in dataclasses.fields(Scenario)
        if getattr(before, field.name) != getattr(after, field.name)
    }
    if lock == ALL and changed - _LOOKS:
        return LOCKED
    if lock == SETTINGS and changed & _OF_THE_MODEL:
        return "The model and its settings are locked here."
    return ""
