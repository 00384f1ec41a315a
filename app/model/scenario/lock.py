"""Decides which changes a locked embedded page refuses."""

import dataclasses

from .scenario import Scenario

SETTINGS, ALL = "settings", "all"  # a lock covers the settings, or everything

LOCKED = "This page is read-only: numbers can oscillate, but you cannot change anything."
_OF_THE_MODEL = frozenset({"settings", "model", "locked", "data", "own_vocabulary", "recipe"})
_LOOKS = frozenset({"view"})


def refusal(lock: str, before: Scenario, after: Scenario) -> str:
    """Return the reason why a lock forbids a change, as a sentence; empty if it is allowed.

    The lock is ``SETTINGS``, ``ALL`` or empty for no lock.
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
