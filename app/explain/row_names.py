"""What the rows of predictions are called: each says the next word of one position."""

from __future__ import annotations

from ..scenario.scenario import Scenario


def row_names(scenario: Scenario, rows: int) -> list[str]:
    """A name for each row: ``3rd word``; without a decoder ``3rd position``."""
    unit = "character" if scenario.vocabulary.unit == "character" else "word"
    kind = unit if scenario.settings.decoder_layers else "position"
    return [f"{_ordinal(row + 1)} {kind}" for row in range(rows)]


def _ordinal(n: int) -> str:
    """``1st``, ``2nd``, ``3rd``, ``11th``."""
    is_teen = n % 100 in (11, 12, 13)
    return f"{n}{'th' if is_teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')}"
