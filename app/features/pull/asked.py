"""Declares requests: shares that are pulled to a value, or a word that should be written."""

from typing import NamedTuple

from ...model.scenario.scenario import Scenario
from ...typed_text import isolated, quoted

WORDS_BEFORE = 2  # the number of words that describe a position


class Share(NamedTuple):
    """A probability or attention weight that is pulled."""

    path: str  # the path of its tensor
    cell: tuple[int, int]  # its row and column
    said: str  # its display name


class Written(NamedTuple):
    """A word that should be written."""

    row: int  # the position after which the word is written
    word: str
    where: str  # the position in words: ``after “le chat”``

    @property
    def said(self) -> str:
        """Return the request as a heading."""
        return f"Make it write {quoted(self.word)} {self.where}"


def written(scenario: Scenario, row: int, word: str) -> Written:
    """Return the request for a word at a position of a scenario."""
    if not scenario.settings.decoder_layers:
        token = scenario.source[row] if row < len(scenario.source) else ""
        return Written(row, word, f"at {quoted(token or '∅')}")
    between = "" if scenario.vocabulary.unit == "character" else " "
    first = max(min(row, 1), row + 1 - WORDS_BEFORE)
    before = between.join(isolated(t) or "∅" for t in scenario.target[first : row + 1])
    return Written(row, word, f"after {quoted(before)}")
