"""The heading of the Learn tab."""

from __future__ import annotations

from html import escape

from ... import theme
from ...components.layout import HTML

HEADING = "Watch a Transformer learn"
TEXT = (
    "Press Learn. The model begins with random numbers, reads dates such as 1969-07-20 (or pairs "
    "of your own) and is shown how each is written out, letter by letter. It is checked on some "
    "that it never trains on."
)


def heading() -> HTML:
    """What the tab is for."""
    return HTML(
        f"<h2>{escape(HEADING)}</h2><p>{escape(TEXT)}</p>",
        stylesheets=[theme.PROSE, "h2 { margin-top: 0; } p { max-width: none; }"],
        margin=(0, 0, 10, 0),
    )
