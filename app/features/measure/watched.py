"""Chooses the answer that experiments measure: a position, and a candidate for the next word."""

from ...experiments.part_effects import likeliest
from ...model.matrices.address import PROBABILITIES, Answer
from ...model.scenario.scenario import Scenario
from ...session.state import AppState


def measured(state: AppState) -> Scenario:
    """Return the page's scenario without dropout, because experiments measure without it."""
    scenario: Scenario = state.scenario
    return scenario.with_training(False) if scenario.training else scenario


def watched_answer(state: AppState) -> Answer:
    """Return the answer that the user chose, or else the likeliest word at the page's position."""
    probabilities = state.runner.trace(measured(state))[PROBABILITIES].value
    row = min(state.position, len(probabilities) - 1)
    chosen = _chosen(state, len(probabilities) - 1)
    return (row, likeliest(probabilities[row])) if chosen is None else chosen


def _chosen(state: AppState, last: int) -> Answer | None:
    """Return the answer selected by its bar or by another experiment; None if there is none."""
    words = state.scenario.output_vocabulary
    selection, location = state.selection, state.location
    is_chosen = selection is not None and selection.path == PROBABILITIES
    if is_chosen and selection.row <= last and selection.column < len(words):
        return selection.row, selection.column
    if location.asked is not None and location.asked <= last and location.word in words:
        return location.asked, words.index(location.word)
    return None
