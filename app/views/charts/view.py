"""The tabs that are charts: positions, and cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...components.component import Placed
from ...components.layout import Column
from ...scenario.scenario import Scenario
from ...state import AppState
from .cost import cost
from .positions import positions

TABS: dict[str, Callable[[Scenario, bool], list[Placed]]] = {"positions": positions, "cost": cost}


class ChartsView:
    """Charts are made when their tab is first opened, so that the page itself opens fast."""

    def __init__(self, state: AppState) -> None:
        self.state = state
        self.dark = False
        self.column = Column(visible=False)
        self._open: Callable[[Scenario, bool], list[Placed]] | None = None
        self._drawn_from = _drawn_from(state.scenario)
        state.param.watch(self._on_scenario, "scenario")

    def show(self, name: str) -> None:
        """Open one of the tabs, or none of them."""
        self._open = TABS.get(name)
        self.column.visible = self._open is not None
        self._draw()

    def set_dark(self, dark: bool) -> None:
        """Light or dark: the charts' colors are put in on the server."""
        if dark != self.dark:
            self.dark = dark
            self._draw()

    def _on_scenario(self, _event: Any) -> None:
        if _drawn_from(self.state.scenario) != self._drawn_from:
            self._draw()

    def _draw(self) -> None:
        self.column.objects = self._open(self.state.scenario, self.dark) if self._open else []
        self._drawn_from = _drawn_from(self.state.scenario)


def _drawn_from(scenario: Scenario) -> tuple[Any, ...]:
    """What the charts say anything of."""
    words = scenario.source, scenario.target, scenario.answers
    return scenario.model, scenario.settings, words, scenario.view
