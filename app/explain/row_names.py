"""Names each row of predictions by the words that precede the predicted word.

A number would be ambiguous: positions count from the start token, written words after it.
"""

from functools import lru_cache

from ..model.scenario.scenario import Scenario
from ..typed_text import isolated

SHOWN_BEFORE = 2  # preceding words that name a row


def row_names(scenario: Scenario, rows: int | None = None) -> list[str]:
    """Name each row, by default one per word: ``after “le chat”`` or, without a decoder, ``at
    “chat”``.

    Equal names and the names of rows after the end of the text contain the position.
    """
    between = "" if scenario.vocabulary.unit == "character" else " "
    names = _names(scenario.output_tokens, between if scenario.settings.has_decoder else None)
    count = len(names) if rows is None else rows
    return [*names, *(f"at position {at}" for at in range(len(names), count))][:count]


@lru_cache(maxsize=256)  # called several times for each edit
def _names(tokens: tuple[str, ...], between: str | None) -> list[str]:
    """Name the rows of a text; ``between`` is None for a model without a decoder."""
    if between is None:
        named = [f"at “{_said(token)}”" for token in tokens]
    else:
        named = [_after(tokens, at, between) for at in range(len(tokens))]
    return [
        f"{name} (position {at})" if named.count(name) > 1 else name
        for at, name in enumerate(named)
    ]


def _after(tokens: tuple[str, ...], at: int, between: str) -> str:
    # The start token is shown only if no other word precedes.
    first = max(min(at, 1), at + 1 - SHOWN_BEFORE)
    return f"after “{between.join(map(_said, tokens[first : at + 1]))}”"


def _said(token: str) -> str:
    return isolated(token.replace(" ", "␣")) or "∅"
