"""The positional encoding as waves and as a map."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from bokeh.models import ColorBar, FixedTicker, Legend, LinearColorMapper
from bokeh.palettes import interp_palette
from bokeh.plotting import figure

from transformer_math.positional import BASE, wave_of

from .. import theme
from .style import blank, colors_of

WAVE_COLORS = ("role-q", "role-k", "role-v", "role-attention", "operand", "accent", "muted", "ink")


def waves(
    positions: np.ndarray,
    table: np.ndarray,
    dimensions: Sequence[int],
    tokens: Sequence[str],
    halves: bool,
    dark: bool,
) -> figure:
    """A curve for each chosen dimension over positions; the tokens' own positions are dotted.

    ``positions`` (n,), ``table`` (n, d_model); the first ``len(tokens)`` rows are the tokens'.
    """
    colors = colors_of(dark)
    plot = blank(dark, height=300, x_axis_label="position", y_axis_label="value")
    items = []
    fine = np.linspace(0, positions[-1], 12 * len(positions))
    for k, dimension in enumerate(dimensions):
        color = colors[WAVE_COLORS[k % len(WAVE_COLORS)]]
        line = plot.line(
            fine, _between(dimension, table.shape[1], fine, halves), color=color, line_width=2
        )
        at = positions[: len(tokens)]
        dots = plot.scatter(at, table[: len(tokens), dimension], color=color, size=8)
        items.append((f"d{dimension}", [line, dots]))
    legend = Legend(
        items=items,
        orientation="horizontal",
        background_fill_alpha=0,
        border_line_alpha=0,
        label_text_color=colors["ink"],
    )
    plot.add_layout(legend, "above")
    return plot


def _between(dimension: int, d_model: int, positions: np.ndarray, halves: bool) -> np.ndarray:
    """The wave between whole positions: what the rows of the table are read off from."""
    wave, pair = wave_of(dimension, d_model, halves)
    angle = positions / BASE ** (2 * pair / d_model)
    return np.sin(angle) if wave.__name__ == "sin" else np.cos(angle)


def position_map(table: np.ndarray, palette: str, dark: bool) -> figure:
    """The table of positions (n, d_model) as a picture: position to the right, dimension down."""
    colors, n, d_model = colors_of(dark), *table.shape
    ends = theme.HEATMAPS[palette]["dark" if dark else "light"]
    mapper = LinearColorMapper(
        palette=interp_palette([ends["negative"], ends["zero"], ends["positive"]], 255),
        low=-1,
        high=1,
    )
    plot = blank(
        dark,
        height=300,
        x_axis_label="position",
        y_axis_label="dimension",
        x_range=(-0.5, n - 0.5),
        y_range=(d_model - 0.5, -0.5),
    )
    plot.image(image=[table.T], x=-0.5, y=-0.5, dw=n, dh=d_model, color_mapper=mapper)
    plot.grid.visible = False
    plot.add_layout(
        ColorBar(
            color_mapper=mapper,
            ticker=FixedTicker(ticks=[-1, 0, 1]),
            width=10,
            background_fill_alpha=0,
            major_label_text_color=colors["muted"],
        ),
        "right",
    )
    return plot
