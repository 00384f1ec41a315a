"""Draws the positional encoding as waves and as a map."""

import math
from collections.abc import Sequence

import numpy as np
from bokeh.models import ColorBar, FixedTicker, Legend, LinearColorMapper
from bokeh.palettes import interp_palette
from bokeh.plotting import figure

from transformer_math.ops import SinusoidalPositions
from transformer_math.positional import BASE, wave_of

from .. import theme
from .style import blank, colors_of

WAVE_COLORS = ("role-q", "role-k", "role-v", "role-attention", "operand", "accent", "muted", "ink")


def waves(encoding: SinusoidalPositions, length: int, tokens: Sequence[str], dark: bool) -> figure:
    """Draw a curve for each of the first dimensions over positions 0 … length−1.

    Dots mark the positions of the tokens.
    """
    colors = colors_of(dark)
    plot = blank(dark, height=300, x_axis_label="position", y_axis_label="value")
    table = encoding.forward(np.arange(length))  # (length, d_model)
    here = np.arange(len(tokens))
    fine = np.linspace(0, length - 1, 12 * length)
    items = []
    for dimension, name in enumerate(WAVE_COLORS[: encoding.d_model]):
        color, curve = colors[name], _between(dimension, encoding, fine)
        line = plot.line(fine, curve, color=color, line_width=2)
        dots = plot.scatter(here, table[: len(tokens), dimension], color=color, size=8)
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


def _between(dimension: int, encoding: SinusoidalPositions, positions: np.ndarray) -> np.ndarray:
    """Return one dimension of the encoding at fractional positions, for a smooth curve."""
    d_model = encoding.d_model
    wave, pair = wave_of(dimension, d_model, encoding.halves)
    angle = positions / BASE ** (2 * pair / d_model)
    curve: np.ndarray = np.sin(angle) if wave is math.sin else np.cos(angle)
    return curve


def position_map(table: np.ndarray, palette: str, dark: bool) -> figure:
    """Draw the table of positions (n, d_model) as an image: positions across, dimensions down."""
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
