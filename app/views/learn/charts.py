"""The four charts of the Learn tab, side by side where there is room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...components.layout import Chart, Column
from ...learning import TrainingRun

if TYPE_CHECKING:
    from ...charts.training import TrainingCharts

UPDATE_EVERY = 3  # slices; four charts at every slice would keep a slow browser busy
SIDE_BY_SIDE = """
:host {
  display: grid !important;
  grid-template-columns: repeat(auto-fit, minmax(min(310px, 100%), 1fr));
  gap: 4px 10px;
}
@media (max-width: 700px) { :host { grid-template-columns: 1fr 1fr !important; } }
"""


class ChartRow:
    """The charts of a run, made anew for another theme."""

    def __init__(self, run: TrainingRun, dark: bool) -> None:
        self._charts = _charts_of(run, dark)
        self._panes = [Chart(figure) for figure in self._charts.figures]
        self._updates = 0
        self.row = Column(*self._panes, stylesheets=[SIDE_BY_SIDE])

    def start(self, run: TrainingRun) -> None:
        """Draw another run from its beginning."""
        self._charts.start(run)

    def update(self, is_running: bool) -> None:
        """Add what the run has done since; while it runs at every third update."""
        self._updates += 1
        if not is_running or self._updates % UPDATE_EVERY == 0:
            self._charts.update()

    def set_dark(self, run: TrainingRun, dark: bool) -> None:
        """Draw the charts anew in the other theme's colors."""
        self._charts = _charts_of(run, dark)
        for pane, figure in zip(self._panes, self._charts.figures, strict=True):
            pane.object = figure


def _charts_of(run: TrainingRun, dark: bool) -> TrainingCharts:
    # Imported when a chart is first drawn: a page opens without it.
    from ...charts.training import TrainingCharts

    return TrainingCharts(run, dark)
