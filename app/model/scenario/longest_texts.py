"""The lengths of the longest texts so far, for which the picture reserves rows."""

from typing import NamedTuple

from .scenario import Scenario

MOST_KEPT = 16  # tokens; longer texts count only while a model trains


class LongestTexts(NamedTuple):
    """The lengths of the longest texts since a model was opened or its training began or ended."""

    source: int = 0
    target: int = 0

    def with_texts_of(self, scenario: Scenario, learns: bool = False) -> "LongestTexts":
        """Return the maximum of these lengths and those of a scenario's texts.

        Texts of more than ``MOST_KEPT`` tokens count only if the model ``learns``.
        """
        most = [
            max(longest, len(text)) if learns or len(text) <= MOST_KEPT else longest
            for longest, text in zip(self, (scenario.source, scenario.target), strict=True)
        ]
        return LongestTexts(*most)


NO_TEXTS = LongestTexts()
