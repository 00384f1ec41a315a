"""What a followed token is in the text, and on which side of an attention."""

from typing import Literal

from ..model.scenario.scenario import Scenario
from ..view_model.focus import Followed


def read_word(scenario: Scenario, followed: Followed) -> str:
    """The word that is read in a followed lane; empty where the sentence is too short for it."""
    words = scenario.source if followed.stack == "encoder" else scenario.target
    return words[followed.position] if followed.position < len(words) else ""


def followed_side(followed: Followed | None, scope: str) -> Literal["query", "key"] | None:
    """Whether a followed token is a query or a key of an attention; None if it is neither."""
    stack, _, sublayer = scope.split(".")
    if followed is None:
        return None
    if followed.stack == stack:
        return "query"
    return "key" if sublayer == "cross_attn" else None
