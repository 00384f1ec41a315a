"""The state of the page at one moment, and its transitions.

Focus, shown row and the end of an edit depend on one another. They are updated together here, so
that no view reads a state in which one of them is outdated.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ..model.matrices.address import CellAddress
from ..model.matrices.oscillation import Oscillation
from ..model.scenario.longest_texts import NO_TEXTS, LongestTexts
from ..model.scenario.scenario import Scenario
from . import focus as focusing
from . import last_edit as editing
from .focus import (
    Focus,
    Follow,
    Followed,
    LeftFocus,
    Mark,
    Replaced,
    Return,
    focus_after,
    has_bars,
    moved,
    turned_to,
)
from .last_edit import HELD, TRAINING, Changed, LastEdit, LetGo, Rested, edit_after
from .page_location import PageLocation
from .row import Row, Sight, row_after, shown_row

# Pictures without positions: while the user drags in them, the word that changes is shown.
WITHOUT_POSITIONS = ("idea:words", "idea:positions", "idea:landscape")

# Attributes that can be set; the others follow from events.
SETTABLE = frozenset(
    {
        *("scenario", "location", "selection", "oscillation", "answer"),
        *("held", "dragging", "learning"),
    }
)


class Set(NamedTuple):
    """The user, a program or a view sets attributes."""

    values: Mapping[str, Any]  # by name, one of ``SETTABLE``
    at: float  # in seconds
    # Next-word probabilities before the event, if they are known.
    likeliest: np.ndarray | None = None
    turns: int | None = None  # see `State`
    opening: PageLocation | None = None  # for a new model or text; None for the present location
    left: LeftFocus | None = None  # the focus that undo or redo restores; None for another event
    is_restored: bool = False  # whether a saved session is shown
    changed: int | None = None  # the row whose word an edit that has ended changed; see `Row`


Event: TypeAlias = Set | focusing.Event | editing.Event


class State(NamedTuple):
    """The state of the page at one moment."""

    scenario: Scenario
    location: PageLocation
    oscillation: Oscillation
    answer: tuple[int, int] | None = None  # position and word to plot the selected number against
    held: bool = False  # whether a number is dragged, so that the written words do not change
    dragging: bool = False  # whether a pointer holds a number
    learning: bool = False  # whether training changes the numbers now
    focus: Focus = Focus()
    last_edit: LastEdit | None = None
    row: Row = Row()  # the reasons for the position that is shown at rest
    turns: int | None = None  # first position that would write another word, while a number is held
    left_edit: int = 0  # the edit after which the user turned to something else; 0 for none
    longest_texts: LongestTexts = NO_TEXTS  # for which the picture reserves rows

    @classmethod
    def first(cls, scenario: Scenario, location: PageLocation, oscillation: Oscillation) -> State:
        """Return the initial state of a page."""
        focus = focus_after(Focus(), Follow(location.followed))
        texts = NO_TEXTS.with_texts_of(scenario)
        return cls(scenario, location, oscillation, longest_texts=texts)._focused(focus, None)

    @property
    def selection(self) -> CellAddress | None:
        """The selected number; None if there is none."""
        return self.focus.number

    @property
    def position(self) -> int:
        """The position whose next word is shown."""
        word = self.focus.word or self.focus.back
        is_followed = word is not None and has_bars(self.scenario, word.stack)
        is_swing = self.oscillation.on and not is_followed
        swings = self.answer[0] if is_swing and self.answer else None
        is_open = self.row.asked is None or self.location.view in WITHOUT_POSITIONS
        turns = self.turns if self.held and is_open else None
        return shown_row(self.row, self.scenario, swings, turns)

    @property
    def editing(self) -> int:
        """The number of the open edit; 0 if it ended."""
        edit = self.last_edit
        return edit.number if edit is not None and edit.ended is None else 0

    @property
    def is_moving(self) -> bool:
        """Whether numbers move, through an open edit, an oscillation or training."""
        return bool(self.editing or self.oscillation.on or self.learning)

    def after(self, event: Event) -> State:
        """Return the state after an event."""
        match event:
            case Changed() | LetGo() | Rested():
                return self._replace(last_edit=edit_after(self.last_edit, event))
            case Set():
                return self._set(event)
            case Follow(word, is_beside):
                follow = self._follow(word, is_beside)
                return self._turned_away()._focused(focus_after(self.focus, follow), self.selection)
            case _:
                return self._focused(focus_after(self.focus, event), self.selection)

    def _set(self, event: Set) -> State:
        values = dict(event.values)
        number = values.pop("selection", self.focus.number)
        new = self._replace(**values)
        is_other = new.scenario is not self.scenario
        # A restored scenario or a changed location determines the focus.
        is_led = event.is_restored or new.location != self.location
        if is_other:
            new = new._replace(turns=event.turns)._noted(self.scenario, event)
        if is_other or new.learning != self.learning:
            new = new._replace(longest_texts=self._longest_texts(new))
        drawer = new.location.open_drawer
        if drawer and drawer != self.location.open_drawer:
            new = new._turned_away()
        if self.learning and not new.learning:
            new = new.after(LetGo(event.at))
        focus, opening = new.focus, None if is_led else event.opening
        if event.left is not None:
            focus = focus_after(focus, Return(new.scenario, event.left))
        elif is_other:
            replaced = Replaced(self.scenario, new.scenario, opening and opening.followed)
            focus = focus_after(focus, replaced)
            new = new if opening is None else new._replace(location=opening)
        if event.changed is not None and opening is None:
            focus = turned_to(focus, event.changed, new.scenario)
            new = new._replace(location=new.location._replace(asked=event.changed))
        if is_led and (is_other or new.location.followed != focus.word):
            focus = focus_after(focus, new._follow(new.location.followed, is_beside=True))
        if number != self.selection:
            focus = focus_after(focus, Mark(number))
        return new._replace(row=Row() if event.is_restored else self.row)._focused(focus, number)

    def _turned_away(self) -> State:
        """Return the state in which the user has turned from the last edit to something else."""
        edit = self.last_edit
        return self._replace(left_edit=0 if edit is None else edit.number)

    def _longest_texts(self, new: State) -> LongestTexts:
        """Return the next longest texts; another model or a change of ``learning`` resets them."""
        is_same_model = new.scenario.opened_model == self.scenario.opened_model
        keeps = is_same_model and new.learning == self.learning
        return (self.longest_texts if keeps else NO_TEXTS).with_texts_of(new.scenario, new.learning)

    def _follow(self, word: Followed | None, is_beside: bool) -> Follow:
        """Return an event that follows a word if the text has it, else none."""
        return Follow(moved(word, self.scenario, self.scenario), is_beside)

    def _noted(self, before: Scenario, event: Set) -> State:
        """Record the change of a scenario that was replaced without an edit, as by undo or film."""
        now, edit = self.scenario, self.last_edit
        if edit is not None and edit.after is now:
            return self
        # Undo and redo restore a known scenario, even while a model learns.
        is_learned = self.learning and event.left is None
        of, press = (TRAINING, HELD) if is_learned else (None, 0)
        return self.after(Changed(before, now, event.at, of, press, False, event.likeliest))

    def _focused(self, focus: Focus, number: CellAddress | None) -> State:
        """Set the focus, and update the oscillation, location and row that depend on it.

        The oscillation ends if the ``number`` selected before is no longer selected.
        """
        swings = self.oscillation
        if focus.number != number:
            swings = swings._replace(on=False)
        sight = Sight(self.scenario, focus, self.location.asked, self.learning)
        row = row_after(self.row, sight)
        location = self.location._replace(followed=focus.word, asked=row.asked)
        return self._replace(focus=focus, oscillation=swings, location=location, row=row)
