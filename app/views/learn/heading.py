"""The heading of the Learn view."""

from __future__ import annotations

from html import escape

from ... import theme
from ...components.layout import HTML

HEADING = "Watch it learn"
TEXT = (
    "Train, above, trains the model that the page shows, with its settings (d_model) and the "
    "recipe below: the numbers, the sentence and every other view follow while it learns. It is "
    "checked on pairs that it never trains on. A number that you set stays as you set it."
)


def heading() -> HTML:
    """What the view is for."""
    return HTML(
        f"<h2>{escape(HEADING)}</h2><p>{escape(TEXT)}</p>",
        stylesheets=[theme.PROSE, "h2 { margin-top: 0; } p { max-width: 90ch; }"],
        margin=(0, 0, 10, 0),
    )
