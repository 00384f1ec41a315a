"""Finds the side of a followed token in an attention sublayer."""

from typing import Literal

from ..view_model.focus import Followed


def followed_side(followed: Followed | None, scope: str) -> Literal["query", "key"] | None:
    """Return whether a followed token is a query or a key of a sublayer; None if neither."""
    stack, _, sublayer = scope.split(".")
    if followed is None:
        return None
    if followed.stack == stack:
        return "query"
    return "key" if sublayer == "cross_attn" else None
