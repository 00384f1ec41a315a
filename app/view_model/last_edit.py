"""The last edit of the page, and the only rule for the beginning and end of an edit.

Undo, comparison, explanation, emphasis and saving all use this record. An edit ends when its
pointer is released; without a pointer, when nothing has changed for `EDIT_SECONDS`; and in any case
when the next edit begins.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable
from typing import NamedTuple, TypeAlias

import numpy as np

from ..model.inference.other_text import is_other_text
from ..model.scenario.scenario import Scenario

EDIT_SECONDS = 0.6  # longer than the delay before a pressed key repeats
TRAINING = "training"  # the identity of a training run's changes
HELD = -1  # in place of a press, if a training run or an experiment holds the edit open


class Loaded:
    """Identifies a change that loaded a lesson's step or a saved session, and thus is no edit."""

    def __init__(self, is_session: bool = False) -> None:
        self.is_session = is_session


class LastEdit(NamedTuple):
    """The last edit."""

    before: Scenario  # the scenario when the edit began
    after: Scenario  # the scenario after the last change of the edit
    of: Hashable  # the changed thing, such as one cell; None if one event is a whole edit
    press: int  # the press of the pointer; 0 without one, or `HELD`
    number: int  # the number of the edit on its page, from 1
    began: float  # the time of the first change; all times are in seconds
    moved: float  # the time of the last change
    ended: float | None  # None while the edit is open
    is_step: bool  # whether it is an undo step
    likeliest: np.ndarray | None  # next-word probabilities before the edit, if they are known

    @property
    def goes_back(self) -> bool:
        """Whether undo, redo, a film or *Restore* returned to a known scenario."""
        return (self.of is None and not self.is_step) or self.restores

    @property
    def restores(self) -> bool:
        """Whether this edit removed all edits, so that nothing differs from the original."""
        before, after = self.before, self.after
        if after.edits or after.silences or not (before.edits or before.silences):
            return False
        unedited = dataclasses.replace(
            before, edits=after.edits, silences=after.silences, target=after.target
        )
        return unedited.has_numbers_of(after)

    @property
    def rests_at(self) -> float:
        """The time at which the edit ends if nothing changes before and no pointer holds it."""
        return self.moved + EDIT_SECONDS


class Changed(NamedTuple):
    """One scenario replaced another; the attributes are those of `LastEdit`."""

    before: Scenario
    after: Scenario
    at: float
    of: Hashable = None
    press: int = 0
    is_step: bool = True
    likeliest: np.ndarray | None = None


class LetGo(NamedTuple):
    """The pointer that held the edit was released, or the training run ended."""

    at: float


class Rested(NamedTuple):
    """Time passed."""

    at: float


Event: TypeAlias = Changed | LetGo | Rested


def edit_after(last: LastEdit | None, event: Event) -> LastEdit | None:
    """Return the last edit after an event; None if nothing has been edited yet.

    A change of drawing options is not an edit.
    """
    if isinstance(event, Changed):
        return _changed(last, event)
    if last is None or last.ended is not None:
        return last
    is_over = isinstance(event, LetGo) or (not last.press and event.at >= last.rests_at)
    return last._replace(ended=event.at) if is_over else last


def _changed(last: LastEdit | None, event: Changed) -> LastEdit | None:
    if event.before.has_numbers_of(event.after):
        return None if last is None else last._replace(after=event.after)
    if last is not None and _is_moment(last, event):
        return last._replace(after=event.after, press=event.press, moved=event.at, ended=None)
    if last is not None and _goes_on(last, event):
        moved = event.at if event.of == last.of else last.moved
        return last._replace(after=event.after, moved=moved)
    number = 1 if last is None else last.number + 1
    before, after, at, of, press, is_step, likeliest = event
    return LastEdit(before, after, of, press, number, at, at, None, is_step, likeliest)


def _is_moment(last: LastEdit, event: Changed) -> bool:
    """Return whether a change shows another snapshot of the training run that was the last edit.

    The last step of a run arrives after the edit has ended, and the user may return to earlier
    steps at any time. A new run that holds an edit open is a new edit.
    """
    is_training = last.of == event.of == TRAINING and not event.is_step
    return is_training and (not event.press or last.ended is None)


def _goes_on(last: LastEdit, event: Changed) -> bool:
    is_open = last.ended is None or event.at <= last.ended  # requested before the edit ended
    if not is_open or not (last.press or event.at < last.rests_at):
        return False
    if event.of == TRAINING and not event.is_step:
        return True  # training continues while a number is edited by hand
    is_same = (last.of, last.press, last.is_step) == (event.of, event.press, event.is_step)
    return event.of is not None and is_same


def comparable(edit: LastEdit | None, now: Scenario) -> Scenario | None:
    """Return the scenario before an edit; None if its model or text differs from the present one.

    Also None after something was loaded, because that is not an edit.
    """
    if edit is None or isinstance(edit.of, Loaded):
        return None
    if edit.before.opened_model != now.opened_model:
        return None
    return None if is_other_text(edit.before, now) else edit.before


def traced_from(edit: LastEdit | None, now: Scenario) -> Scenario | None:
    """Return the scenario from which the path of the edits is traced; None if there is none.

    In a restored session, the path covers all its edits.
    """
    if edit and isinstance(edit.of, Loaded) and edit.of.is_session and now.edits:
        return now.without_edits()
    return comparable(edit, now)
