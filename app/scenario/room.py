"""For how many tokens the picture keeps room, so that a shorter sentence moves nothing."""

from typing import NamedTuple

from .scenario import Scenario

MOST = 16  # tokens: a longer text has its room only while it is shown, or during a training


class Room(NamedTuple):
    """The longest texts so far of one opened model, or of one training of it.

    Attributes:
        source: the number of tokens of the longest source.
        target: the number of tokens of the longest target.
    """

    source: int = 0
    target: int = 0

    def with_texts_of(self, scenario: Scenario, learns: bool = False) -> "Room":
        """The room after the texts of a scenario are shown.

        Args:
            scenario: has the texts.
            learns: whether a training goes on, in which each step may write another length.
        """
        counts = [len(text) for text in (scenario.source, scenario.target)]
        return Room(
            *(
                max(kept, count) if learns or count <= MOST else kept
                for kept, count in zip(self, counts, strict=True)
            )
        )


NO_ROOM = Room()
