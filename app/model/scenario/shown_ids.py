"""The ids of tokens as the page shows them.

A model from an article's printed table has only a few of the table's rows. The page shows the ids
that the article prints rather than row numbers.
"""

from collections.abc import Sequence

from transformer_math.data.tokenizer import DATES

from .model_names import POSITIONS, TABLE
from .vocabulary import Side

_PRINTED = {token: i for i, token in enumerate(DATES.tokens)}


def has_printed_ids(model: str, side: Side, tokens: Sequence[str]) -> bool:
    """Return whether tokens of a model are shown with an article's ids."""
    return side == "source" and model in (TABLE, POSITIONS) and _PRINTED.keys() >= {*tokens}


def shown_ids(model: str, side: Side, tokens: Sequence[str], own: list[int]) -> list[int]:
    """Return the ids of tokens to show; ``own`` has their rows in the table of the model."""
    if has_printed_ids(model, side, tokens):
        return [_PRINTED[token] for token in tokens]
    return own
