"""The right side: the selected number."""

from __future__ import annotations

from typing import Any

from app.controls import Inspector
from app.describe import details
from app.state import AppState


class InspectorView:
    """Tells the inspector what is known of the selected cell."""

    def __init__(self, state: AppState) -> None:
        self.state = state
        self.inspector = Inspector()
        state.param.watch(self._fill, ["scenario", "selection"])
        self._fill()

    def _fill(self, *events: Any) -> None:
        selection, scenario = self.state.selection, self.state.scenario
        found: dict[str, Any] = {}
        if selection is not None and selection.path in self.state.trace:
            try:
                found = details(self.state.computer, scenario, *selection)
            except ValueError:
                found = {}  # the matrix has shrunk; the selection goes in the same event
        self.inspector.param.update(details=found, numbers=scenario.view.numbers)
