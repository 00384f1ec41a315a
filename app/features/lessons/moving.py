"""Moves the page to the subject of a lesson's step."""

from ...lessons.format import Changes
from ...model.matrices.address import CellAddress
from ...model.matrices.resolved_cell import resolve_if_there
from ...session.state import AppState


def look_at(state: AppState, changes: Changes) -> None:
    """Open the view, follow the token and select or oscillate the cell that a step names."""
    if changes.view:
        state.go("view", changes.view)
    if changes.follow:
        state.go("followed", [*changes.follow])
    if changes.select:
        select(state, changes.select)
    if changes.swings:
        state.oscillation = state.oscillation._replace(on=True)


def select(state: AppState, cell: CellAddress) -> None:
    """Select a cell if the model has it, and stop any oscillation."""
    if resolve_if_there(state.trace, cell) is not None:
        if state.oscillation.on:
            state.oscillation = state.oscillation._replace(on=False)
        state.selection = cell
