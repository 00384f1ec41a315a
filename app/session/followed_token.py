"""Finds the word at a followed position, and its side in an attention sublayer."""

from typing import Literal

from ..model.scenario.scenario import Scenario
from ..view_model.focus import Followed


def read_word(scenario: Scenario, followed: Followed) -> str:
    """Return the word at a followed position; empty if the sentence is too short."""
    words = scenario.source if followed.stack == "encoder" else scenario.target
    return words[followed.position] if followed.position < len(words) else ""


def followed_side(followed: Followed | None, scope: str) -> Literal["query", "key"] | None:
    """Return whether a followed token is a query or a key of an attention; None if neither."""
    stack, _, sublayer = scope.split(".")
    if followed is None:
        return None
    if followed.stack == stack:
        return "query"
    return "key" if sublayer == "cross_attn" else None
