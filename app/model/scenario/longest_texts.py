"""The longest texts so far, for which the picture reserves rows so that nothing moves."""

from typing import NamedTuple

from .scenario import Scenario

MOST_KEPT = 16  # tokens; longer texts count only while a model learns


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
            scenario: the scenario with the texts.
            learns: whether the model is training, so that the length may change with each step.
        """
        most = [
            max(longest, len(text)) if learns or len(text) <= MOST_KEPT else longest
            for longest, text in zip(self, (scenario.source, scenario.target), strict=True)
        ]
        return LongestTexts(*most)


NO_TEXTS = LongestTexts()
