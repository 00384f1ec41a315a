"""The probabilities of the next words that the bars are compared with."""

from __future__ import annotations

import numpy as np

from ..explain.row_names import row_names
from ..scenario.scenario import Scenario
from .last_edit import LastEdit, comparable

MOST_WORDS = 400  # words, the likeliest, whose probabilities are compared


def words_before(
    scenario: Scenario, row: str, edit: LastEdit | None, resting: np.ndarray | None = None
) -> dict[str, float]:
    """The probability of each next word before the last edit, where the words before it are same.

    Args:
        scenario: the shown scenario.
        row: the name of the position whose next word is shown.
        edit: the last edit.
        resting: while a number swings, the probabilities at rest, (position, vocabulary), which
            are compared instead.
    """
    before, numbers = scenario, resting
    if resting is None and edit and (begun := comparable(edit, scenario)):
        before, numbers = begun, edit.likeliest
    names, words = row_names(before), scenario.output_vocabulary
    if numbers is None or row not in names or before.output_vocabulary != words:
        return {}
    found = numbers[names.index(row)]
    columns = np.argpartition(-found, min(MOST_WORDS, len(found) - 1))[:MOST_WORDS].tolist()
    return {words[k]: float(found[k]) for k in columns if np.isfinite(found[k])}
