"""The two forms of charts, Positions and Cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ...components.component import Placed
from ...components.layout import Column
from ...scenario.scenario import Scenario
from ...session.state import AppState
from .cost import cost
from .positions import positions


class Tab(NamedTuple):
    """A form made of charts.

    Attributes:
        draw: returns the contents; the flag asks for dark colors.
        drawn_from: returns all that the contents depend on; they are redrawn only if it changes.
    """

    draw: Callable[[Scenario, bool], list[Placed]]
    drawn_from: Callable[[Scenario], object]


TABS = {
    "positions": Tab(positions, lambda s: (s.settings, s.source, s.view.palette)),
    "cost": Tab(cost, lambda s: (s.config, len(s.source), len(s.target))),
}


class ChartsView:
    """The charts, drawn when first opened, so that the page itself opens fast."""

    def __init__(self, state: AppState) -> None:
        self.state = state
        self.dark = False
        self.column = Column(visible=False)
        self._open: Tab | None = None
        self._drawn_from: object = None
        state.param.watch(self._on_scenario, "scenario")

    def show(self, name: str) -> None:
        """Open the form of this name; any other name closes both."""
        self._open = TABS.get(name)
        self.column.visible = self._open is not None
        self._draw()

    def set_dark(self, dark: bool) -> None:
        """Set the light or dark theme; the server renders the colors of charts."""
        if dark != self.dark:
            self.dark = dark
            self._draw()

    def _on_scenario(self, _event: Any) -> None:
        if self._open and self._open.drawn_from(self.state.scenario) != self._drawn_from:
            self._draw()

    def _draw(self) -> None:
        scenario = self.state.scenario
        self.column.objects = self._open.draw(scenario, self.dark) if self._open else []
        self._drawn_from = self._open.drawn_from(scenario) if self._open else None
