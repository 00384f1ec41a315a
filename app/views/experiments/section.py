"""The base class of sections: a heading, the question it answers, and the experiment."""

from __future__ import annotations

from html import escape

from ... import theme
from ...components.component import Placed
from ...components.layout import HTML, Column


class Section:
    """One experiment, computed only while it is shown.

    A subclass has a title and a question, puts its contents into ``column``, and computes them in
    ``draw``, which is called when the view opens and may be called again while ``is_open``.
    """

    title: str
    question: str

    def __init__(self, *placed: Placed) -> None:
        self.is_open = False
        head = f"<h2>{escape(self.title)}</h2><p>{escape(self.question)}</p>"
        self.column = Column(HTML(head, stylesheets=[theme.PROSE], margin=0), *placed)

    def show(self, is_open: bool) -> None:
        """Open or close the view."""
        self.is_open = is_open
        if is_open:
            self.draw()

    def draw(self) -> None:
        """Compute and show the result."""
