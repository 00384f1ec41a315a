"""Decides which row the page shows; the rules update one frozen value.

In every display frame, the page shows one row: its bars, its marked word in the header, and in the
picture the ribbons along which a change reached it. While a pointer holds a number, a chosen row
stays. When an edit ends, all parts turn in one frame to the row whose word the edit changed, or
else to the row that it changed most, and so does the followed word.
"""

from __future__ import annotations

from typing import NamedTuple

from ..model.inference.followed_lane import is_other_moment
from ..model.inference.forward_pass import ForwardPassRunner
from ..model.inference.other_text import is_other_text
from ..model.inference.writing import likeliest
from ..model.inference.written_words import moved_position
from ..model.scenario.scenario import Scenario
from .focus import Focus, has_bars, moved


class Sight(NamedTuple):
    """The part of the page's state that determines the shown position."""

    scenario: Scenario
    focus: Focus
    asked: int | None = None  # the position that the location requests
    learning: bool = False


class Row(NamedTuple):
    """The reasons for the position that is shown at rest; see `shown_row`."""

    asked: int | None = None  # chosen by the user, or changed by an edit; see `shown_row`
    seen: Sight | None = None  # the state for which ``asked`` was determined


def shown_row(
    row: Row, scenario: Scenario, swings: int | None = None, turns: int | None = None
) -> int:
    """Return the position whose next word is shown: the first of these that exists.

    1. While a number oscillates and no position is followed, the position that it affects most
       (``swings``).
    2. While something is dragged in a picture without positions, or if no position was chosen, the
       first position that would write another word (``turns``).
    3. The position that the user chose, directly or with a word or number in focus, or at which an
       edit changed the word, whichever was later. It moves with its word, and remains when the word
       or number is deselected. A new text or model clears it.
    4. The blank, the row of the last word that the model wrote, or the last row of a typed text.

    At other moments of a training run, rule 3 remains, even while the text is too short.
    """
    last = len(scenario.output_tokens) - 1
    usual = last - scenario.writes_itself if scenario.blank is None else scenario.blank
    found = (at for at in (swings, turns, row.asked, usual) if at is not None)
    return max(0, min(next(found), last))


def row_after(row: Row, now: Sight) -> Row:
    """Return the row after a change of the page's state; ``Row()`` precedes the first state."""
    nothing = now._replace(focus=Focus())
    asked, before = row.asked, row.seen or nothing
    old, new = before.scenario, now.scenario
    is_moment = old is not new and (now.learning or is_other_moment(old, new))
    # At another moment, the text may be too short for the chosen place; undo chooses another place.
    is_chosen = not is_moment or now.focus.place != before.focus.place
    if old.model != new.model or is_other_text(old, new):
        asked = None
    elif old is not new and not is_moment:
        asked = _moved(asked, old, new)
    if now.asked != row.asked:
        asked = now.asked
    elif is_chosen and (found := _in_focus(now, before)) is not None:
        asked = found
    return Row(_in_focus(now, nothing) if asked is None else asked, now)


def turned_row(scenario: Scenario, runner: ForwardPassRunner) -> int | None:
    """Return the first position that predicts another word than the decoder reads, or None.

    Raise ``ValueError`` if the logits are not finite.
    """
    words = zip(likeliest(scenario, runner), scenario.target[1:], strict=False)
    return next((at for at, (new, old) in enumerate(words) if new != old), None)


def _moved(at: int | None, old: Scenario, new: Scenario) -> int | None:
    before, after = old.output_tokens, new.output_tokens
    return at if at is None or before == after else moved_position(before, after, at)


def _in_focus(now: Sight, before: Sight) -> int | None:
    """Return the position of a word, or else a number, that is newly in focus; None without."""
    scenario, was = now.scenario, before.focus
    number = None if now.focus.number == was.number else now.focus.number
    word = None if now.focus.word == moved(was.word, before.scenario, scenario) else now.focus.word
    places = [word, number and (number.path.partition(".")[0], number.position)]
    return next((at[1] for at in places if at is not None and has_bars(scenario, at[0])), None)
