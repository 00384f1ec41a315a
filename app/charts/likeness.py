"""Draws the similarity of two positions as a function of their distance."""

import numpy as np
from bokeh.models import ColumnDataSource, HoverTool, Range1d, Span
from bokeh.plotting import figure

from .style import blank, colors_of


class LikenessChart:
    """A chart of the dot product of two positions' encodings against their distance.

    Attributes:
        figure: the chart.
    """

    def __init__(self, dark: bool) -> None:
        colors = colors_of(dark)
        self._curve = ColumnDataSource({"apart": [], "alike": []})
        self._here = ColumnDataSource({"apart": [], "alike": []})
        self._apart, self._alike = Range1d(0, 1), Range1d(-1, 1)
        self._shift = Span(dimension="height", line_color=colors["role-q"], line_dash="dashed")
        plot = blank(
            dark,
            height=240,
            x_axis_label="how far apart two positions are",
            y_axis_label="PE(p) · PE(q)",
            x_range=self._apart,
            y_range=self._alike,
        )
        line = plot.line("apart", "alike", source=self._curve, color=colors["accent"], line_width=2)
        plot.scatter("apart", "alike", source=self._here, color=colors["role-q"], size=10)
        plot.add_layout(self._shift)
        plot.add_tools(
            HoverTool(
                renderers=[line],
                mode="vline",
                line_policy="nearest",
                tooltips=[("apart", "@apart{0,0}"), ("PE(p) · PE(q)", "@alike{0.000}")],
            )
        )
        self.figure: figure = plot

    def draw(self, alike: np.ndarray) -> None:
        """Draw the curve (n,) over the distances 0 … n−1."""
        self._curve.data = {"apart": np.arange(len(alike)), "alike": alike}
        self._apart.end = max(1, len(alike) - 1)
        low, high = float(alike.min()), float(alike.max())
        self._alike.update(start=min(0.0, low) - 0.06 * high, end=1.06 * high)

    def mark(self, apart: int, alike: float) -> None:
        """Mark a distance."""
        self._shift.location = apart
        self._here.data = {"apart": [apart], "alike": [alike]}
