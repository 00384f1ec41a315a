"""The focus of the page: one frozen value, and its transitions."""

from __future__ import annotations

from typing import Annotated, NamedTuple, TypeAlias

from ..model.inference.followed_lane import is_other_moment, lane_after, place_in
from ..model.matrices.address import CellAddress
from ..model.matrices.extent import STACKS
from ..model.scenario.limits import MAX_TOKENS
from ..model.scenario.scenario import Scenario
from ..plain_data import OneOf, Within


class Followed(NamedTuple):
    """A token that is followed through the model, by its stack and position."""

    stack: Annotated[str, OneOf(STACKS)]
    position: Annotated[int, Within(0, MAX_TOKENS - 1)]


class Focus(NamedTuple):
    """The focus: a word, a number or nothing; a word may stay followed during an oscillation."""

    word: Followed | None = None
    number: CellAddress | None = None
    back: Followed | None = None  # returns into focus when the number is deselected
    # The position of the chosen word. If a sentence is too short for this position during training,
    # the position is followed again in the next sentence that is long enough.
    place: Followed | None = None
    press: int = 0  # the press that selected the number by dragging it; 0 for none

    def left(self, press: int = 0) -> LeftFocus:
        """Return the focus that undo restores, without a number that the edit's press selected."""
        if self.word is not None or self.number is None:
            return LeftFocus(self.word)
        return LeftFocus(self.back, is_number=not (press > 0 and press == self.press))


class LeftFocus(NamedTuple):
    """The focus at the time an undo step was left."""

    word: Followed | None = None  # if a number was in focus, the word to focus after it
    is_number: bool = False


class Follow(NamedTuple):
    """A word, or none, is followed; the number is deselected unless ``is_beside``."""

    word: Followed | None
    is_beside: bool = False


class Select(NamedTuple):
    """The user selected a number, by dragging it if there is a press, or deselected it."""

    number: CellAddress | None = None
    press: int = 0


class Mark(NamedTuple):
    """The page selected a number, as in a lesson; a followed word stays."""

    number: CellAddress | None


class Await(NamedTuple):
    """A position is followed during training, once the sentence is long enough for it."""

    place: Followed


class Replaced(NamedTuple):
    """The scenario was replaced; ``opening`` is the first followed word of a new text or model."""

    before: Scenario
    after: Scenario
    opening: Followed | None = None


class Return(NamedTuple):
    """Undo or redo restored a scenario, with the focus at the time it was left."""

    scenario: Scenario
    left: LeftFocus


Event: TypeAlias = Follow | Select | Mark | Await | Replaced | Return


def focus_after(focus: Focus, event: Event) -> Focus:
    """Return the focus after an event."""
    match event:
        case Follow(None):
            return focus._replace(word=None, place=None)
        case Follow(word, is_beside):
            return Focus(word, focus.number if is_beside else None, place=word)
        case Select(None):
            return Focus(focus.word or focus.back, place=focus.place or focus.back)
        case Select(number, press):
            return Focus(number=number, back=focus.word or focus.back, press=press)
        case Mark(number):
            return focus._replace(number=number, back=number and focus.back, press=0)
        case Await(place):
            return focus._replace(place=place)
        case Replaced():
            return _replaced(focus, event)
        case Return(scenario, left):
            word = moved(left.word, scenario, scenario)
            if focus.number is None or (word is not None and not left.is_number):
                return Focus(word, place=word)
            return Focus(number=focus.number, back=word, press=focus.press)


def _replaced(focus: Focus, event: Replaced) -> Focus:
    before, after, opening = event
    back = moved(focus.back, before, after)
    if focus.place is not None and is_other_moment(before, after):
        return focus._replace(word=held_at(focus.place, after), back=back)
    if opening is not None:
        return Focus(opening, place=opening)
    word = moved(focus.word, before, after)
    return focus._replace(word=word, place=word, back=None if word else back)


def turned_to(focus: Focus, row: int, scenario: Scenario) -> Focus:
    """Return the focus after an edit changed the word of a row.

    If a row that writes a word is followed, or would be when the number is deselected, the changed
    row replaces it.
    """
    word = focus.word or focus.back
    if word is None or not has_bars(scenario, word.stack):
        return focus
    turned = word._replace(position=row)
    if focus.word is None:
        return focus._replace(back=turned)
    return focus_after(focus, Follow(turned, is_beside=True))


def has_bars(scenario: Scenario, stack: str) -> bool:
    """Return whether next words are predicted at the positions of a stack."""
    has_decoder = scenario.settings.has_decoder
    return stack in ("output", *(("target", "decoder") if has_decoder else ("source", "encoder")))


def held_at(place: Followed | None, scenario: Scenario) -> Followed | None:
    """Return a position, or the last position of a text that is too short; None if absent."""
    at = None if place is None else place_in(*place, scenario)
    return None if place is None or at is None else Followed(place.stack, at)


def moved(word: Followed | None, before: Scenario, after: Scenario) -> Followed | None:
    """Return the position of a word after a change of the text; None if the word is gone."""
    if word is None:
        return None
    at = lane_after(*word, before, after)
    return None if at is None else Followed(word.stack, at)
