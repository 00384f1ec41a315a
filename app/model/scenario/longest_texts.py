"""The longest texts so far, for which the picture has rows: a shorter sentence moves nothing."""

from typing import NamedTuple

from .scenario import Scenario

MOST_KEPT = 16  # tokens; a longer text counts only while a model learns


class LongestTexts(NamedTuple):
    """The longest texts since a model was opened, or since its training began or ended.

    Attributes:
        source: the number of tokens of the longest source.
        target: the number of tokens of the longest target.
    """

    source: int = 0
    target: int = 0

    def with_texts_of(self, scenario: Scenario, learns: bool = False) -> "LongestTexts":
        """Include the texts of a scenario.

        Args:
            scenario: has the texts.
            learns: whether a training goes on, in which each step may write another length.
        """
        most = [
            max(longest, len(text)) if learns or len(text) <= MOST_KEPT else longest
            for longest, text in zip(self, (scenario.source, scenario.target), strict=True)
        ]
        return LongestTexts(*most)


NO_TEXTS = LongestTexts()
