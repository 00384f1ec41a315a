"""States the effect of the last change: the sentence written on release, or the edit's effect."""

from __future__ import annotations

from ..explain.changes import LastChange, last_change
from .last_edit import Loaded
from .moment import Moment


def change(moment: Moment, would: str) -> LastChange | None:
    """Return the statement on a change; None if there is none.

    While a number is held, the statement is the sentence that the model ``would`` write on release.
    At rest, it is the last edit with its effect, if undo reverts that edit. There is none while a
    number oscillates or an experiment runs, or after the user turned to something else: a drawer or
    another word.
    """
    state, scenario = moment.state, moment.scenario
    if would:
        return LastChange("", f"On release, it writes: {would}")
    edit = state.last_edit
    if edit is None or isinstance(edit.of, Loaded):
        return None
    if edit.ended is None or edit.number == state.left_edit:
        return None
    if state.oscillation.on or moment.tries or not moment.takes_back:
        return None
    is_same = edit.before.opened_model == edit.after.opened_model
    found = last_change(edit.before, scenario, moment.runner) if is_same else None
    # After a restore, the original word is not marked as changed.
    return found._replace(is_traced=False) if found and edit.restores else found
