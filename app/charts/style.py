"""Defines the colors and fonts of all charts."""

from typing import Any

from bokeh.plotting import figure

from .. import theme


def colors_of(dark: bool) -> dict[str, str]:
    """Return the colors of the light or the dark theme."""
    return theme.COLORS["dark" if dark else "light"]


def blank(dark: bool, **options: Any) -> figure:
    """Return an empty figure in the page's colors and fonts."""
    colors = colors_of(dark)
    plot = figure(
        sizing_mode="stretch_width",
        toolbar_location=None,
        tools="",
        background_fill_color=colors["card"],
        border_fill_color=colors["paper"],
        outline_line_color=colors["line"],
        **options,
    )
    font = theme.FONTS["font-text"]
    for axis in plot.axis:
        axis.axis_label_text_color = axis.major_label_text_color = colors["muted"]
        axis.axis_label_text_font = axis.major_label_text_font = font
        axis.axis_label_text_font_style = "normal"
        axis.axis_line_color = axis.major_tick_line_color = axis.minor_tick_line_color = colors[
            "line"
        ]
    plot.grid.grid_line_color = colors["line"]
    return plot
