"""The followed token stays the same one when the sentence changes, and has a side in attention."""

from __future__ import annotations

from typing import Literal

from ..inference.followed_lane import lane_after
from ..scenario.scenario import Scenario
from .page_location import Followed, PageLocation


def location_after(location: PageLocation, before: Scenario, now: Scenario) -> PageLocation:
    """The location after a change of the scenario; the same object if nothing in it changes."""
    if location.followed is None:
        return location
    stack, position = location.followed
    at = lane_after(stack, position, before, now)
    if at == position:
        return location
    return location._replace(followed=None if at is None else Followed(stack, at))


def followed_side(followed: Followed | None, scope: str) -> Literal["query", "key"] | None:
    """Whether a followed token is a query or a key of an attention; None if it is neither."""
    stack, _, sublayer = scope.split(".")
    if followed is None:
        return None
    if followed.stack == stack:
        return "query"
    return "key" if sublayer == "cross_attn" else None
