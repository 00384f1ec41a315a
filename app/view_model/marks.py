"""The highlighted words in the source and in the target."""

from __future__ import annotations

from typing import TypedDict

from ..model.matrices.telling_word import most_read
from ..model.scenario.scenario import Scenario
from ..model.scenario.vocabulary import Side
from .focus import has_bars
from .moment import Moment

SIDES: tuple[Side, ...] = ("source", "target")
STACKS = {"source": "encoder", "target": "decoder"}
PREDICTED = "predicted"  # the list with the word that the shown row predicts


class Mark(TypedDict):
    """The positions of the highlighted words in one list; None for none."""

    focus: int | None  # the word in focus, or the source word that it attends to most
    followed: bool  # whether the user follows that word itself
    asked: int | None  # the word that the bars belong to


def marks(moment: Moment) -> dict[str, Mark]:
    """Return the highlighted words, by side, and whether the predicted word's row is followed."""
    scenario, word = moment.scenario, moment.state.focus.word
    if scenario.view.plane == "gradient":  # the loss is that of all words, so no row is followed
        word = None
    position = moment.state.position
    focus: dict[str, int | None] = dict.fromkeys(SIDES)
    if word is not None and word.stack == "encoder":
        focus["source"] = word.position
    elif word is not None:
        focus["target"] = target_word(scenario, word.position)
        # During an oscillation or training, numbers change between updates of the words.
        moves = moment.state.oscillation.on or moment.state.learning
        if not (moves or _is_asked(moment, word.position)):
            focus["source"] = most_read(scenario, moment.trace, word.position)
    has_decoder = scenario.settings.has_decoder
    asked = {
        "source": None if has_decoder else position,
        "target": target_word(scenario, position) if has_decoder else None,
    }
    found: dict[str, Mark] = {
        side: Mark(
            focus=focus[side],
            followed=word is not None and word.stack == STACKS[side],
            asked=asked[side],
        )
        for side in SIDES
    }
    if not scenario.writes_itself:
        is_row = word is not None and has_bars(scenario, word.stack)
        found[PREDICTED] = Mark(focus=0 if is_row else None, followed=is_row, asked=0)
    return found


def target_word(scenario: Scenario, row: int) -> int:
    """Return the position of the word that is marked for a row of the decoder.

    This is the word that the row writes or, if the user typed the target, the word that the row
    reads, because the next typed word need not be the one that the model would write.
    """
    return row + scenario.writes_itself


def target_row(scenario: Scenario, at: int) -> int:
    """Return the row of the decoder for which a word of the target is marked; −1 for the start."""
    return at - scenario.writes_itself


def _is_asked(moment: Moment, row: int) -> bool:
    """Return whether an open question asks which source words a row of the decoder attends to."""
    return any(
        ".cross_attn." in path and path.endswith(".weights") and first <= row <= last
        for path, first, _, last, _ in moment.asked
    )
