"""Chooses the opening location of a page, model or text if no link, tab or lesson sets it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..explain.opening_row import opening_word
from ..ideas.catalog import FORMS_OF_IDEAS
from ..model.inference import cost
from ..model.scenario.scenario import Scenario
from ..view_model.focus import Followed
from ..view_model.page_location import FIRST_VIEW, PageLocation

if TYPE_CHECKING:
    from .state import AppState


def opening_location(state: AppState) -> PageLocation:
    """Return the location that the address names, with the most telling word in focus.

    The word comes into focus only where it is visible: in the picture of the model and in the
    pictures of ideas.
    """
    location = state.address.location(state.location)
    is_led = _is_led(state, location)
    if is_led and not state.address.film:
        return location
    return with_telling_word(state, state.scenario, location)


def location_of_other_text(state: AppState, scenario: Scenario) -> PageLocation | None:
    """Return the location for a new text, with its most telling word; None if it has none."""
    is_led = bool(state.lesson.name) or state.address.parts is not None
    here = state.location
    location = here if is_led else with_telling_word(state, scenario, here)
    return None if location is here else location


def location_of_other_model(state: AppState, scenario: Scenario) -> PageLocation:
    """Return the location after the user chose another model, with its most telling word."""
    location = state.location._replace(followed=None, word="")
    return location if _is_led(state, location) else with_telling_word(state, scenario, location)


def with_telling_word(state: AppState, scenario: Scenario, location: PageLocation) -> PageLocation:
    """Return a location with the most telling word in focus, if its view shows words."""
    shows_words = location.view == FIRST_VIEW or location.view in FORMS_OF_IDEAS
    if not shows_words or cost.is_large(scenario):
        return location
    word = opening_word(scenario, state.runner.trace(scenario))
    return location if word is None else location._replace(followed=Followed(*word))


def _is_led(state: AppState, location: PageLocation) -> bool:
    is_part = state.address.parts is not None
    return location.followed is not None or bool(state.lesson.name) or is_part
