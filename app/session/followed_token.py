"""The followed token stays the same one when the sentence changes, and has a side in attention.

While a model learns, its words come and go; then the place is followed.
"""

from __future__ import annotations

from typing import Literal

from ..inference.followed_lane import lane_after, place_in
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


def location_held(location: PageLocation, place: Followed, now: Scenario) -> PageLocation:
    """The location that follows a place whatever is written there; in a shorter text its end."""
    at = place_in(*place, now)
    followed = None if at is None else Followed(place.stack, at)
    return location if followed == location.followed else location._replace(followed=followed)


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
