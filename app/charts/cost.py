"""Draws the multiply-adds of a layer as a function of the sequence length."""

import numpy as np
from bokeh.models import Legend, Span
from bokeh.plotting import figure

from .style import blank, colors_of


def cost_curves(
    lengths: np.ndarray, parts: dict[str, np.ndarray], now: int, crossover: float, dark: bool
) -> figure:
    """Draw the multiply-adds of a layer's parts against the length n, on logarithmic axes."""
    colors = colors_of(dark)
    plot = blank(
        dark,
        height=420,
        x_axis_label="n, tokens in the sequence",
        y_axis_label="multiply-adds of one layer",
        x_axis_type="log",
        y_axis_type="log",
    )
    items = []
    drawn: list[np.ndarray] = []
    for (label, values), name in zip(
        parts.items(), ("role-q", "role-attention", "role-v", "ink"), strict=False
    ):
        # Dashed if it coincides with an earlier curve, so that both are visible.
        dash = "dashed" if any(np.array_equal(values, other) for other in drawn) else "solid"
        drawn.append(values)
        line = plot.line(lengths, values, color=colors[name], line_width=2.5, line_dash=dash)
        items.append((label, [line]))
    for place, color, dash in ((now, "accent", "solid"), (crossover, "muted", "dashed")):
        plot.add_layout(
            Span(location=place, dimension="height", line_color=colors[color], line_dash=dash)
        )
    plot.add_layout(
        Legend(
            items=items,
            # Vertical, because a horizontal legend would be wider than a phone.
            background_fill_alpha=0,
            border_line_alpha=0,
            label_text_color=colors["ink"],
            padding=0,
            spacing=0,
        ),
        "above",
    )
    return plot
