"""Draws the loss as a landscape: contours over two directions, with a marker for the model."""

from collections.abc import Mapping, Sequence

import numpy as np
from bokeh.models import (
    BasicTicker,
    ColorBar,
    ColumnDataSource,
    LinearColorMapper,
    NumeralTickFormatter,
    Range1d,
)
from bokeh.palettes import interp_palette

from .. import theme
from .contours import contour_line
from .style import blank, colors_of

NAME = "landscape"  # the name by which the browser finds the chart, to handle presses on it
LEVELS = 14
STEEP = 1.6  # exponent; above 1, levels are denser near the minimum, where the loss changes little
SHADES = 256
FINER = 4  # image pixels per computed loss, in each direction


class LandscapeChart:
    """The figure of one landscape, with a movable marker."""

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
            xs: (w,), horizontal coordinates.
            ys: (h,), vertical coordinates.
            losses: (h, w), the losses.
            names: labels of the horizontal and the vertical direction.
            palette: the palette of the page's numbers.
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
        shades = interp_palette([ends["zero"], ends["share"]], SHADES)
        self._draw_ground(xs, ys, losses, shades, colors["line-strong"])
        plot.add_layout(_color_bar(contour_levels(losses), shades, colors), "right")
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
        # Above the dot, so that both are visible if the model is at the minimum.
        plot.scatter("x", "y", source=self._least, marker="x", **lowest)

    def _draw_ground(
        self, xs: np.ndarray, ys: np.ndarray, losses: np.ndarray, shades: Sequence[str], line: str
    ) -> None:
        """Draw the losses: an image, and contours over it."""
        levels = contour_levels(losses)
        finite = np.where(np.isfinite(losses), losses, levels[-1])
        shade = np.rint(_shade(levels, _finer(finite))).astype(np.uint8)
        self.figure.image(
            [shade],
            x=xs[0],
            y=ys[0],
            dw=xs[-1] - xs[0],
            dh=ys[-1] - ys[0],
            color_mapper=LinearColorMapper(shades, low=0, high=SHADES - 1),
        )
        lines = np.concatenate([contour_line(xs, ys, finite, level) for level in levels[1:-1]])
        x0, y0, x1, y1 = lines.reshape(-1, 4).T.astype(np.float32)
        self.figure.segment(x0, y0, x1, y1, line_color=line, line_alpha=0.5)

    def mark(
        self, now: tuple[float, float], least: tuple[float, float], way: Sequence[Sequence[float]]
    ) -> None:
        """Mark the model's position, the minimum, and the path of the training run, if any."""
        self.move(now)
        self._least.data = {"x": [least[0]], "y": [least[1]]}
        places = np.array(way).reshape(-1, 2)
        self._way.data = {"x": places[:, 0], "y": places[:, 1]}

    def trail(self, visited: Sequence[tuple[float, float, float]]) -> None:
        """Mark the visited positions, each with its loss."""
        xs, ys, losses = zip(*visited, strict=True) if visited else ((), (), ())
        new = {"x": list(xs), "y": list(ys), "loss": [f"{loss:.3f}" for loss in losses]}
        if new != self._visited.data:
            self._visited.data = new

    def move(self, now: tuple[float, float]) -> None:
        """Move the marker of the model."""
        self._now.data = {"x": [now[0]], "y": [now[1]]}


def contour_levels(losses: np.ndarray) -> np.ndarray:
    """Return the losses (LEVELS,) of the contours, in ascending order."""
    finite = losses[np.isfinite(losses)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    if high - low < 1e-6:
        low, high = low - 5e-7, high + 5e-7
    levels: np.ndarray = low + (high - low) * np.linspace(0, 1, LEVELS) ** STEEP
    return levels


def _finer(losses: np.ndarray) -> np.ndarray:
    """Interpolate the losses (h, w) bilinearly, to image pixels (FINER · h, FINER · w)."""

    def weights(count: int) -> np.ndarray:
        centers = (np.arange(FINER * count) + 0.5) / (FINER * count) * (count - 1)
        hats: np.ndarray = np.maximum(0, 1 - np.abs(centers[:, None] - np.arange(count)))
        return hats

    h, w = losses.shape
    finer: np.ndarray = weights(h) @ losses @ weights(w).T
    return finer


def _shade(levels: np.ndarray, losses: np.ndarray) -> np.ndarray:
    """Return the shade of each loss, with equally many shades between any two adjacent levels."""
    shades: np.ndarray = np.interp(losses, levels, np.linspace(0, SHADES - 1, len(levels)))
    return shades


def _color_bar(levels: np.ndarray, shades: Sequence[str], colors: Mapping[str, str]) -> ColorBar:
    """Return a color bar with evenly spaced losses, and therefore unevenly spaced shades."""
    losses = np.linspace(levels[0], levels[-1], SHADES)
    shown = [shades[int(k)] for k in _shade(levels, losses).round()]
    return ColorBar(
        color_mapper=LinearColorMapper(shown, low=levels[0], high=levels[-1]),
        ticker=BasicTicker(desired_num_ticks=6),
        formatter=NumeralTickFormatter(format="0.00"),
        title="loss",
        title_text_color=colors["muted"],
        major_label_text_color=colors["muted"],
        background_fill_alpha=0,
        width=12,
    )
