"""What is asked for: shares that are pulled to a value, or a word that is to be written."""

from typing import NamedTuple

from ...model.scenario.scenario import Scenario
from ...typed_text import isolated, quoted

WORDS_BEFORE = 2  # said of a position


class Share(NamedTuple):
    """A probability or attention weight that is pulled.

    Attributes:
        path: the path of its tensor.
        cell: its row and column.
        said: its name for the reader.
    """

    path: str
    cell: tuple[int, int]
    said: str


class Written(NamedTuple):
    """A word that is to be written.

    Attributes:
        row: the position whose next word it is.
        word: the word.
        where: the position for the reader: ``after “le chat”``.
    """

    row: int
    word: str
    where: str

    @property
    def said(self) -> str:
        """The wish as a heading."""
        return f"Make it write {quoted(self.word)} {self.where}"


def written(scenario: Scenario, row: int, word: str) -> Written:
    """A wish for a word at a position of a scenario."""
    if not scenario.settings.decoder_layers:
        token = scenario.source[row] if row < len(scenario.source) else ""
        return Written(row, word, f"at {quoted(token or '∅')}")
    between = "" if scenario.vocabulary.unit == "character" else " "
    first = max(min(row, 1), row + 1 - WORDS_BEFORE)
    before = between.join(isolated(t) or "∅" for t in scenario.target[first : row + 1])
    return Written(row, word, f"after {quoted(before)}")
