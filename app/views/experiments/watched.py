"""The answer that experiments watch: a position, and a candidate for the next word there."""

from typing import Any

import numpy as np

from ...experiments.part_effects import Answer
from ...matrices.address import PROBABILITIES
from ...scenario.scenario import Scenario
from ...session.state import AppState


class WatchedAnswer:
    """The answer that the user chose, else the likeliest word where the page is.

    It stays the same as long as the text does: if a change of numbers changed the word, results
    before and after could not be compared.
    """

    def __init__(self, state: AppState) -> None:
        self.state = state
        self._looked_at: tuple[object, int, str] | None = None  # text, position, word
        self._answered: Scenario | None = None  # the scenario in which that was chosen

    def move(self, *_: Any) -> None:
        """Follow another position, chosen by the user or due to a change that moved the words."""
        if self.state.scenario is self._answered:
            self._looked_at = None

    def now(self) -> Answer:
        """The answer to watch."""
        state, scenario = self.state, self.state.scenario
        probabilities = state.trace[PROBABILITIES].value
        typed = () if scenario.writes_itself else scenario.target
        of = (scenario.model, scenario.settings, scenario.source, typed, state.location.asked)
        last = len(probabilities) - 1
        chosen = self._chosen(last)
        if chosen is not None:
            answer = chosen
        elif (known := self._known(of)) is not None:
            answer = min(known[0], last), known[1]
        else:
            row = state.position if state.location.asked is None else state.location.asked
            row = min(row, last)
            answer = row, int(np.nan_to_num(probabilities[row]).argmax())
        row, column = answer
        # Keep the word, not its column, which changes when an earlier word is removed.
        self._looked_at = of, row, scenario.output_vocabulary[column]
        self._answered = scenario
        return answer

    def _known(self, of: object) -> Answer | None:
        """The earlier answer for this text, unless its word is no longer in the vocabulary."""
        words = self.state.scenario.output_vocabulary
        if self._looked_at is None or self._looked_at[0] != of:
            return None
        _, row, word = self._looked_at
        return (row, words.index(word)) if word in words else None

    def _chosen(self, last: int) -> Answer | None:
        """The word whose bar was pressed, or that another experiment is about."""
        state = self.state
        words = state.scenario.output_vocabulary
        selection, location = state.selection, state.location
        is_chosen = selection is not None and selection.path == PROBABILITIES
        if is_chosen and selection.row <= last and selection.column < len(words):
            return selection.row, selection.column
        if location.asked is not None and location.asked <= last and location.word in words:
            return location.asked, words.index(location.word)
        return None
