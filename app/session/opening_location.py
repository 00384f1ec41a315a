"""Where a page opens that no link, tab or lesson leads elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..inference import cost
from ..matrices.telling_word import telling_word
from .page_location import FIRST_VIEW, Followed, PageLocation

if TYPE_CHECKING:
    from .state import AppState


def opening_location(state: AppState) -> PageLocation:
    """The location that the address names; in the picture with its most telling word in focus."""
    location = state.address.location(state.location)
    is_led = location.followed is not None or state.lesson.name or state.address.parts is not None
    if is_led or location.view != FIRST_VIEW or cost.is_large(state.scenario):
        return location
    scenario = state.scenario
    written = len(scenario.target) - 1 if scenario.settings.decoder_layers else len(scenario.source)
    word = telling_word(state.trace, max(1, written))
    return location if word is None else location._replace(followed=Followed(*word))
