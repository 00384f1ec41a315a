"""Computes the bars: the next words of the shown row, and their earlier probabilities."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..explain.row_names import row_names
from ..model.matrices.address import PROBABILITIES
from ..model.scenario.scenario import Scenario
from .last_edit import LastEdit, comparable
from .moment import Moment

MOST_WORDS = 400  # maximum number of likeliest words whose probabilities are compared


class Bars(NamedTuple):
    """The next words of the shown row."""

    rows: list[str]  # the names of all rows
    written: list[str]  # the word that each row writes: at last the end token; empty after it
    value: int  # the position of the shown row
    before: dict[str, float]  # see `words_before`
    # Words that are shown even if their bars are small: the likeliest word before an edit that was
    # not undone, the written word, and the right word.
    named: list[str]


def bars(moment: Moment) -> Bars:
    """Return the bars of the row that the state shows."""
    scenario, state = moment.scenario, moment.state
    swings = state.oscillation.on
    resting = moment.trace[PROBABILITIES].value if swings else None
    rows = row_names(scenario)
    end = scenario.vocabulary.end or "" if moment.ends else ""
    written = [*scenario.target[1:], end] if scenario.settings.has_decoder else []
    written = [*written, *[""] * len(rows)][: len(rows)]
    before = words_before(scenario, rows[state.position], state.last_edit, resting)
    edit = state.last_edit
    is_edited = swings or (edit is not None and not edit.goes_back)
    was = max(before, key=lambda word: before[word], default="") if is_edited else ""
    right = scenario.label_tokens[state.position : state.position + 1]
    named = dict.fromkeys((was, written[state.position], *right))
    return Bars(
        rows=rows,
        written=written,
        value=state.position,
        before=before,
        named=[word for word in named if word and word != scenario.vocabulary.pad],
    )


def words_before(
    scenario: Scenario, row: str, edit: LastEdit | None, resting: np.ndarray | None = None
) -> dict[str, float]:
    """Return each next word's probability before the last edit, if the preceding words are equal.

    While a number oscillates, return the probabilities ``resting`` (position, vocabulary).
    """
    before, numbers = scenario, resting
    if resting is None and edit and (begun := comparable(edit, scenario)):
        before, numbers = begun, edit.likeliest
    names, words = row_names(before), scenario.output_vocabulary
    if numbers is None or row not in names or before.output_vocabulary != words:
        return {}
    found = numbers[names.index(row)]
    columns = np.argpartition(-found, min(MOST_WORDS, len(found) - 1))[:MOST_WORDS].tolist()
    # The bars show fewer than six digits; all digits would take twice the bytes.
    likeliest = zip(columns, found[columns].tolist(), strict=True)
    return {words[k]: float(f"{p:.6g}") for k, p in likeliest if math.isfinite(p)}
