"""Loads the scenarios of the open lesson, and restores the earlier session when the lesson ends."""

from ..model.scenario.lock import refusal
from ..model.scenario.scenario import Scenario
from ..view_model.last_edit import Changed, Loaded
from .address import LESSONS
from .offer import UNDO, Offer
from .state import AppState

GIVEN_BACK = "The page shows the sentence and the numbers from before the lesson again."


def may_load(state: AppState, scenario: Scenario) -> bool:
    """Return whether the open lesson may load this scenario; if not, set a message.

    The lesson named in the URL was chosen by the person who locked the page, so it may load
    anything. Any other lesson may change only what the user may change.
    """
    if state.lesson.name and state.lesson.name == state.address.lesson:
        return True
    refused = refusal(state.address.lock, state.scenario, scenario)
    if refused:
        state.refuse(refused)
    return not refused


def begin(state: AppState, scenario: Scenario) -> None:
    """Load the initial scenario of a step; the page does not state the effect of this change."""
    load(state, scenario, Loaded())


def load(state: AppState, scenario: Scenario, of: Loaded | None = None) -> None:
    """Load a scenario of the open lesson, if the lesson may do so."""
    if not may_load(state, scenario):
        return
    now = state.settle()
    state.experiment.keep()
    state.record_step(Changed(now, scenario, state.now(), of))
    state.oscillation = state.oscillation._replace(on=False)
    state.location = state.location._replace(followed=None)  # the lesson determines the focus
    state.scenario = scenario


def leave(state: AppState) -> None:
    """Close the open lesson: show the list of lessons and restore the session before the lesson.

    Undo restores the last scenario of the lesson.
    """
    before, now = state.before_lesson, state.scenario
    lesson = state.lesson.went("")
    if before is None:  # the lesson was opened by a link, so there is no earlier session
        state.lesson = lesson
        state.go("view", LESSONS)
        return
    # Keep the user's drawing options.
    view = now.view.changed("plane", before.scenario.view.plane)
    given = before._replace(
        scenario=before.scenario.with_view_settings(view),
        place=before.place.at(LESSONS),
        decode=state.decode,
        ideas=state.ideas,
        lesson=lesson,
    )
    state.snapshots.restore(given)
    if not state.scenario.has_numbers_of(now):
        state.offer = Offer(GIVEN_BACK, UNDO)
