"""What is in focus on the page: one frozen value, and how events change it."""

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
    """A word, a number, or nothing; a word can also be followed beside a number that swings.

    Attributes:
        word: the followed word.
        number: the selected number.
        back: the word that comes back into focus when the number is let go of.
        place: where the word is that was chosen: while a model trains, that place is followed, also
            after the sentence was too short for it.
        press: the pointer press that selected the number by dragging it; 0 for none.
    """

    word: Followed | None = None
    number: CellAddress | None = None
    back: Followed | None = None
    place: Followed | None = None
    press: int = 0

    def left(self, press: int = 0) -> LeftFocus:
        """What undo brings back into focus.

        Args:
            press: the pointer press that makes the edit; a number that it selected is not kept.
        """
        if self.word is not None or self.number is None:
            return LeftFocus(self.word)
        return LeftFocus(self.back, is_number=not (press > 0 and press == self.press))


class LeftFocus(NamedTuple):
    """What was in focus when an undo step was left.

    Attributes:
        word: the followed word; behind a number, the word that comes back.
        is_number: whether a selected number was in focus, and not the word.
    """

    word: Followed | None = None
    is_number: bool = False


class Follow(NamedTuple):
    """A word is followed, or none; the number is let go of, unless the word is beside it."""

    word: Followed | None
    is_beside: bool = False


class Select(NamedTuple):
    """The reader selected a number, by dragging it if there is a press, or let go of it."""

    number: CellAddress | None = None
    press: int = 0


class Mark(NamedTuple):
    """The page itself selected a number, as a lesson does; a followed word stays."""

    number: CellAddress | None


class Await(NamedTuple):
    """A place is followed while the model learns, once the sentence is long enough for it."""

    place: Followed


class Replaced(NamedTuple):
    """Another scenario is shown; ``opening`` is the word that another text or model opens with."""

    before: Scenario
    after: Scenario
    opening: Followed | None = None


class Return(NamedTuple):
    """Undo or redo shows a scenario again, with what was in focus when it was left."""

    scenario: Scenario
    left: LeftFocus


Event: TypeAlias = Follow | Select | Mark | Await | Replaced | Return


def focus_after(focus: Focus, event: Event) -> Focus:
    """What is in focus after an event."""
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
    word = opening or moved(focus.word, before, after)
    return focus._replace(word=word, place=word, back=None if word else back)


def held_at(place: Followed | None, scenario: Scenario) -> Followed | None:
    """A place in a text, or the last one before it; None if there is none."""
    at = None if place is None else place_in(*place, scenario)
    return None if place is None or at is None else Followed(place.stack, at)


def moved(word: Followed | None, before: Scenario, after: Scenario) -> Followed | None:
    """Where a word is after a change of the text; None if it is gone."""
    if word is None:
        return None
    at = lane_after(*word, before, after)
    return None if at is None else Followed(word.stack, at)
