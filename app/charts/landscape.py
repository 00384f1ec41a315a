"""The loss as a landscape: contours over two directions, with the place where the model is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from bokeh.models import BasicTicker, ColorBar, ColumnDataSource, NumeralTickFormatter, Range1d
from bokeh.palettes import interp_palette

from .. import theme
from .style import blank, colors_of

NAME = "landscape"  # by which the browser finds it, to be pressed
LEVELS = 14
STEEP = 1.6  # levels lie closer near the lowest place, where the loss changes little


class LandscapeChart:
    """A figure made for one landscape; the place in it moves."""

    def __init__(
        self,
        xs: np.ndarray,
        ys: np.ndarray,
        losses: np.ndarray,
        names: tuple[str, str],
        palette: str,
        dark: bool,
    ) -> None:
        """Draw a landscape.

        Args:
            xs: (w,), across.
            ys: (h,), up.
            losses: (h, w).
            names: what goes across, and what goes up.
            palette: of the page's numbers.
            dark: whether the page is dark.
        """
        colors = colors_of(dark)
        ends = theme.HEATMAPS[palette]["dark" if dark else "light"]
        self.figure = plot = blank(
            dark,
            name=NAME,
            height=340,
            x_axis_label=names[0],
            y_axis_label=names[1],
            x_range=Range1d(float(xs[0]), float(xs[-1])),
            y_range=Range1d(float(ys[0]), float(ys[-1])),
            title="The loss as a landscape",
        )
        plot.title.visible = False
        plot.grid.visible = False
        levels = contour_levels(losses)
        fill = interp_palette([ends["zero"], ends["share"]], len(levels) - 1)
        shown = np.where(np.isfinite(losses), losses, levels[-1])
        contour = plot.contour(
            xs, ys, shown, levels, fill_color=fill, line_color=colors["line-strong"], line_alpha=0.5
        )
        bar: ColorBar = contour.construct_color_bar(
            title="loss",
            title_text_color=colors["muted"],
            major_label_text_color=colors["muted"],
            background_fill_alpha=0,
            formatter=NumeralTickFormatter(format="0.00"),
            width=12,
        )
        bar.ticker = BasicTicker(desired_num_ticks=6)  # even ones: the levels are not
        plot.add_layout(bar, "right")
        self._way = ColumnDataSource({"x": [], "y": []})
        self._now = ColumnDataSource({"x": [], "y": []})
        self._least = ColumnDataSource({"x": [], "y": []})
        self._visited = ColumnDataSource({"x": [], "y": [], "loss": []})
        way = {"source": self._way, "color": colors["operand"]}
        plot.line("x", "y", line_width=3, **way)
        plot.scatter("x", "y", size=5, **way)
        visited = {"source": self._visited, "color": colors["accent"]}
        plot.line("x", "y", line_width=2, line_dash="dashed", **visited)
        plot.scatter("x", "y", size=7, **visited)
        plot.text(
            "x",
            "y",
            text="loss",
            source=self._visited,
            y_offset=-9,
            text_align="center",
            text_font_size="12px",
            text_color=colors["ink"],
            background_fill_color=colors["card"],
            background_fill_alpha=0.8,
            padding=2,
        )
        lowest = {"size": 15, "line_color": colors["ink"], "line_width": 2.5}
        dot = {"size": 16, "fill_color": colors["accent"], "line_color": colors["card"]}
        plot.scatter("x", "y", source=self._now, line_width=2.5, **dot)
        # Over the dot, so that both are seen where the model is at the lowest place.
        plot.scatter("x", "y", source=self._least, marker="x", **lowest)

    def mark(
        self, now: tuple[float, float], least: tuple[float, float], way: Sequence[Sequence[float]]
    ) -> None:
        """Mark where the model is, the lowest place, and the way of a run, if there is one."""
        self.move(now)
        self._least.data = {"x": [least[0]], "y": [least[1]]}
        places = np.array(way).reshape(-1, 2)
        self._way.data = {"x": places[:, 0], "y": places[:, 1]}

    def trail(self, visited: Sequence[tuple[float, float, float]]) -> None:
        """Mark the places that were visited, each with its loss."""
        xs, ys, losses = zip(*visited, strict=True) if visited else ((), (), ())
        new = {"x": list(xs), "y": list(ys), "loss": [f"{loss:.3f}" for loss in losses]}
        if new != self._visited.data:
            self._visited.data = new

    def move(self, now: tuple[float, float]) -> None:
        """Move the place where the model is."""
        self._now.data = {"x": [now[0]], "y": [now[1]]}


def contour_levels(losses: np.ndarray) -> np.ndarray:
    """The losses between which the ground has one color, from the lowest to the highest."""
    finite = losses[np.isfinite(losses)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    if high - low < 1e-6:
        low, high = low - 5e-7, high + 5e-7
    levels: np.ndarray = low + (high - low) * np.linspace(0, 1, LEVELS) ** STEEP
    return levels
