"""The followed token stays the same one when the sentence changes."""

from __future__ import annotations

from ..inference.followed_lane import lane_after
from ..scenario.scenario import Scenario
from .page_location import Followed, Place


def location_after(place: Place, before: Scenario, now: Scenario) -> Place:
    """The location after a change of the scenario; the same object if nothing in it changes."""
    if place.followed is None:
        return place
    stack, position = place.followed
    at = lane_after(stack, position, before, now)
    if at == position:
        return place
    return place._replace(followed=None if at is None else Followed(stack, at))
