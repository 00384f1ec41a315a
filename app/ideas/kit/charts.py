"""Declares a picture that consists of charts and text, redrawn when its inputs change."""

from collections.abc import Sequence

from ...components.component import Placed
from ...components.layout import Column
from ...model.scenario.scenario import Scenario
from .picture import IdeaPicture


class ChartsPicture(IdeaPicture):
    """Bokeh figures and text that are replaced as a whole; nothing in them can be dragged."""

    watched = ("scenario",)
    _drawn: object = None

    def parts(self) -> Sequence[Placed]:
        self._charts = Column()
        return [self._charts]

    def drawn_from(self, scenario: Scenario) -> object:
        """Return everything that the charts depend on, except the theme."""
        raise NotImplementedError

    def charts(self, scenario: Scenario) -> list[Placed]:
        """Draw the charts, with their text."""
        raise NotImplementedError

    def draw(self) -> None:
        scenario = self.state.scenario
        drawn = self.dark, self.drawn_from(scenario)
        if drawn != self._drawn:
            self._charts.objects = self.charts(scenario)
            self._drawn = drawn
