"""The four charts of the Train room, side by side if there is room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...components.layout import HTML, Chart, Column
from ...learning import TrainingSession
from ...learning.difference import difference

if TYPE_CHECKING:
    from ...charts.training import TrainingCharts

SIDE_BY_SIDE = """
:host {
  display: grid !important;
  grid-template-columns: repeat(auto-fit, minmax(min(230px, 100%), 1fr));
  gap: 4px 10px;
}
.scroll-button { display: none !important; }
@media (max-width: 700px) { :host { grid-template-columns: 1fr 1fr !important; } }
"""
CAPTION = "p { margin: 0 0 8px; color: var(--muted); }"


class ChartRow:
    """The charts of the last run, over those of the run before; redrawn for another theme."""

    def __init__(self, dark: bool) -> None:
        self._dark = dark
        self._charts: TrainingCharts | None = None
        self._drawn: object = None
        self._panes = Column(stylesheets=[SIDE_BY_SIDE])
        self._caption = HTML("", stylesheets=[CAPTION])
        self.row = Column(self._panes, self._caption, visible=False)

    def update(self, session: TrainingSession, shown: int | None = None) -> None:
        """Add the run's new steps, or draw another run.

        Args:
            session: the training.
            shown: the step that the page shows, if it is an earlier one; else None.
        """
        run = session.run
        self.row.visible = run is not None
        if run is None:
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
        self._caption.object = f"<p>{caption}</p>" if caption else ""

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
