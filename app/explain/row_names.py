"""What the rows of predictions are called: each says the next word of one position.

A row is named by the words that it comes after, and not by a number: positions count from 0, and
the words that are written from the one after the start.
"""

from ..scenario.scenario import Scenario
from ..typed_text import isolated

SHOWN_BEFORE = 2  # preceding words that name a row


def row_names(scenario: Scenario, rows: int | None = None) -> list[str]:
    """A name for each row: ``after “le chat”``; without a decoder ``at “chat”``.

    Of rows that have the same name, and of those after the end of the text, the position is said.

    Args:
        scenario: the scenario whose words name the rows.
        rows: how many; None for as many as there are words.
    """
    if scenario.settings.has_decoder:
        named = [_after(scenario, at) for at in range(len(scenario.target))]
    else:
        named = [f"at “{_said(token)}”" for token in scenario.source]
    names = [
        f"{name} (position {at})" if named.count(name) > 1 else name
        for at, name in enumerate(named)
    ]
    count = len(names) if rows is None else rows
    return [*names, *(f"at position {at}" for at in range(len(names), count))][:count]


def _after(scenario: Scenario, at: int) -> str:
    between = "" if scenario.vocabulary.unit == "character" else " "
    # The start token is shown only if no other word precedes.
    first = max(min(at, 1), at + 1 - SHOWN_BEFORE)
    return f"after “{between.join(map(_said, scenario.target[first : at + 1]))}”"


def _said(token: str) -> str:
    return isolated(token.replace(" ", "␣")) or "∅"
