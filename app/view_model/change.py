"""What the page states of a change: what letting go writes, or what the last edit has done."""

from __future__ import annotations

from ..explain.changes import LastChange, last_change
from .last_edit import Loaded
from .moment import Moment


def change(moment: Moment, would: str) -> LastChange | None:
    """What is stated of a change; None if nothing is.

    While a number is held, the sentence that letting go of it writes. At rest, the last edit and
    its effect, if undo takes it back: not while a number swings or an experiment runs, and not
    once a drawer was opened after it, which answers another question in its place.

    Args:
        moment: the moment.
        would: the sentence that letting go writes; empty for the same one.
    """
    state, scenario = moment.state, moment.scenario
    if would:
        return LastChange("", f"Let go, and it writes: {would}")
    edit = state.last_edit
    if edit is None or isinstance(edit.of, Loaded):
        return None
    if edit.ended is None or edit.number == state.answered:
        return None
    if state.oscillation.on or moment.tries or not moment.takes_back:
        return None
    is_same = edit.before.opened_model == edit.after.opened_model
    found = last_change(edit.before, scenario, moment.runner) if is_same else None
    # The word of the original is not marked as changed.
    return found._replace(row=None) if found and edit.restores else found
