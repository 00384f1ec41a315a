"""The four charts of the Train room, side by side if there is room.

Before the first run their place is kept, so that nothing below it drops when a training starts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...components.layout import HTML, Chart, Column
from ...learning import TrainingSession, texts
from ...learning.difference import difference

if TYPE_CHECKING:
    from ...charts.training import TrainingCharts

SIDE_BY_SIDE = """
:host {
  display: grid !important;
  grid-template-columns: 1fr 1fr;
  gap: 4px 10px;
  min-height: 364px;
}
::slotted(:only-child) { grid-column: 1 / -1; }
"""
CAPTION = "p { margin: 0 0 8px; max-width: var(--measure); color: var(--muted); }"
NOTHING_YET = (
    "While it trains, four curves grow here: the loss, how many unseen phrases are right, the "
    "learning rate and the size of the gradient. Those of the run before stay behind them."
)


class ChartRow:
    """The charts of the last run, over those of the run before; redrawn for another theme."""

    def __init__(self, dark: bool) -> None:
        self._dark = dark
        self._charts: TrainingCharts | None = None
        self._drawn: object = None
        self._panes = Column(stylesheets=[SIDE_BY_SIDE])
        self._panes.objects = [HTML(f"<p>{NOTHING_YET}</p>", stylesheets=[CAPTION])]
        self._caption = HTML("", stylesheets=[CAPTION])
        self.row = Column(self._panes, self._caption)

    def update(self, session: TrainingSession, shown: int | None = None) -> None:
        """Add the run's new steps, or draw another run.

        Args:
            session: the training.
            shown: the step that the page shows, if it is an earlier one; else None.
        """
        run = session.run
        left_out = texts.left_out(session)
        if run is None:
            self._caption.object = f"<p>{left_out}</p>" if left_out else ""
            return
        if self._charts is None:
            self._draw(session)
        elif self._drawn is not run:
            self._charts.start(run, session.previous)
        elif self._charts is not None:
            self._charts.update()
        self._drawn = run
        if self._charts is not None:
            self._charts.show_step(shown)
        caption = difference(session.previous.plan, run.plan) if session.previous else ""
        said = (caption, left_out)
        self._caption.object = "".join(f"<p>{each}</p>" for each in said if each)

    def set_dark(self, session: TrainingSession, dark: bool) -> None:
        """Redraw the charts in the colors of the other theme."""
        self._dark = dark
        if self._charts is not None:
            self._draw(session)

    def _draw(self, session: TrainingSession) -> None:
        # Imported on first use, so that a page opens without it.
        from ...charts.training import TrainingCharts

        self._charts = TrainingCharts(session.run, session.previous, self._dark)
        self._drawn = session.run
        self._panes.objects = [Chart(figure) for figure in self._charts.figures]
