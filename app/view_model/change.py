"""The statement on the last change: what releasing the held number writes, or the edit's effect."""

from __future__ import annotations

from ..explain.changes import LastChange, last_change
from .last_edit import Loaded
from .moment import Moment


def change(moment: Moment, would: str) -> LastChange | None:
    """The statement on a change; None if there is none.

    While a number is held, it gives the sentence that the model writes on release. At rest, it
    gives the last edit and its effect, if undo takes it back. There is none while a number
    oscillates or an experiment runs, or after a drawer was opened, which answers another question.

    Args:
        moment: the moment.
        would: the sentence written on release; empty if it is unchanged.
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
