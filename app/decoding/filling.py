"""Fills the blanks of an encoder-only model's text, the most certain first."""

from collections.abc import Callable
from typing import TypedDict

import numpy as np

from transformer_math.ops import softmax

from ..model.inference.forward_pass import ForwardPassRunner
from ..model.inference.text import edited_parameters
from ..model.scenario.scenario import Scenario
from .bars import Bars, bars
from .task import display_token, notes


class FilledPosition(TypedDict):
    """A position: its token, and the likeliest word there with its probability.

    ``turn`` counts the blanks in the order in which they are filled, from 0; it is None for a token
    that is not a blank. ``bars`` are from the pass that fills the blank, with earlier blanks
    already filled.
    """

    token: str
    word: str
    p: float
    turn: int | None
    bars: Bars


class Filling(TypedDict):
    """All positions, and the text with its blanks filled.

    ``opens`` is the position to show first: that of the first blank to be filled, or else the last
    position. ``can_blank`` is whether the vocabulary has a token for a blank.
    """

    rows: list[FilledPosition]
    text: str
    opens: int
    can_blank: bool
    notes: list[str]


def filling(
    scenario: Scenario, runner: ForwardPassRunner, go_on: Callable[[], None] | None = None
) -> Filling:
    """Fill the blanks of an encoder-only model's text one after the other.

    Each pass fills the most certain blank, and the next pass reads the filled word, so that the
    words of several blanks are consistent; see `transformer_math.decoding.fill_blanks`. ``go_on``
    is called before each pass; it raises once the result is no longer needed. Raise ``ValueError``
    if the logits are not finite.
    """
    model = runner.model(scenario)
    model = model.with_parameters(edited_parameters(scenario, model))
    words = scenario.source_vocabulary
    ids = np.array(scenario.ids("source"))
    blank = np.array([token == scenario.blank_token for token in scenario.source])
    never = _never_filled(scenario)
    distributions = np.zeros((len(ids), len(words)))
    filled, turns = ids.copy(), {}
    for turn in range(max(int(blank.sum()), 1)):
        if go_on is not None:
            go_on()
        logits = model.logits(filled[None])[0].astype(np.float64)
        if not np.isfinite(logits).all():
            raise ValueError("The model's logits are not finite, so no word can be chosen.")
        if turn == 0:
            distributions = softmax(logits)
        open_ones = [at for at in np.flatnonzero(blank).tolist() if at not in turns]
        if open_ones:
            allowed = logits.copy()
            allowed[:, never] = -np.inf
            sure = softmax(allowed).max(-1)
            at = max(open_ones, key=lambda each: sure[each])
            turns[at], filled[at] = turn, int(allowed[at].argmax())
            distributions[at] = softmax(logits[at])
    chosen = np.where(blank, filled, distributions.argmax(-1)).tolist()
    rows: list[FilledPosition] = [
        {
            "token": display_token(token),
            "word": display_token(words[word]),
            "p": float(row[word]),
            "turn": turns.get(at),
            "bars": bars(words, row, word),
        }
        for at, (token, word, row) in enumerate(
            zip(scenario.source, chosen, distributions, strict=True)
        )
    ]
    between = "" if scenario.vocabulary.unit == "character" else " "
    return {
        "rows": rows,
        "text": between.join(display_token(words[i]) for i in filled.tolist()),
        "opens": min(turns, key=lambda at: turns[at], default=len(rows) - 1),
        "can_blank": scenario.blank_token is not None,
        "notes": list(notes(scenario)),
    }


def with_blank(scenario: Scenario, position: int) -> Scenario:
    """Replace the token at a position by a blank, and expect the replaced token there."""
    mask = scenario.blank_token
    if mask is None:
        raise ValueError("The vocabulary of this model has no token for a blank.")
    before = scenario.source[position]
    tokens = [mask if n == position else token for n, token in enumerate(scenario.source)]
    new = scenario.with_tokens("source", tokens)
    return new.with_expected(before) if new.blank == position else new


def _never_filled(scenario: Scenario) -> list[int]:
    vocabulary = scenario.vocabulary
    special = (vocabulary.start, vocabulary.end, vocabulary.pad, scenario.blank_token)
    rows = (vocabulary.row("source", token) for token in special)
    return [row for row in rows if row is not None]
