"""The answer that experiments watch: a position, and a candidate for the next word there."""

from ...experiments.part_effects import Answer, likeliest
from ...model.matrices.address import PROBABILITIES
from ...model.scenario.scenario import Scenario
from ...session.state import AppState


def measured(state: AppState) -> Scenario:
    """The page's scenario without dropout, without which a model writes and is counted."""
    scenario: Scenario = state.scenario
    return scenario.with_training(False) if scenario.training else scenario


def watched_answer(state: AppState) -> Answer:
    """The answer that the user chose, else the word that the model writes where the page is."""
    probabilities = state.runner.trace(measured(state))[PROBABILITIES].value
    row = min(state.position, len(probabilities) - 1)
    chosen = _chosen(state, len(probabilities) - 1)
    return (row, likeliest(probabilities[row])) if chosen is None else chosen


def _chosen(state: AppState, last: int) -> Answer | None:
    """The word whose bar was pressed, or that another experiment is about."""
    words = state.scenario.output_vocabulary
    selection, location = state.selection, state.location
    is_chosen = selection is not None and selection.path == PROBABILITIES
    if is_chosen and selection.row <= last and selection.column < len(words):
        return selection.row, selection.column
    if location.asked is not None and location.asked <= last and location.word in words:
        return location.asked, words.index(location.word)
    return None
