"""Where a page opens that no link, tab or lesson leads elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..explain.opening_row import opening_word
from ..ideas.catalog import FORMS_OF_IDEAS
from ..inference import cost
from .page_location import FIRST_VIEW, Followed, PageLocation

if TYPE_CHECKING:
    from .state import AppState


def opening_location(state: AppState) -> PageLocation:
    """The location that the address names, with the most telling word in focus.

    Only where that word is seen: in the picture of the model, and in the pictures of ideas.
    """
    location = state.address.location(state.location)
    is_led = location.followed is not None or state.lesson.name or state.address.parts is not None
    is_film = state.address.film
    shows_words = location.view == FIRST_VIEW or location.view in FORMS_OF_IDEAS
    if (is_led and not is_film) or not shows_words or cost.is_large(state.scenario):
        return location
    word = opening_word(state.scenario, state.trace)
    return location if word is None else location._replace(followed=Followed(*word))
