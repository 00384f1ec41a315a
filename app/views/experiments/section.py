"""A section of the Experiments view: a heading, the question it answers, and what answers it."""

from __future__ import annotations

from html import escape

from ... import theme
from ...components.component import Placed
from ...components.layout import HTML, Column


class Section:
    """One experiment. It computes only while it is shown.

    A subclass gives a title and a question, puts what it draws into ``column``, and draws in
    ``draw``, which is called when the view opens and may be called again while ``is_open``.
    """

    title: str
    question: str

    def __init__(self, *placed: Placed) -> None:
        self.is_open = False
        head = f"<h2>{escape(self.title)}</h2><p>{escape(self.question)}</p>"
        self.column = Column(HTML(head, stylesheets=[theme.PROSE], margin=0), *placed)

    def show(self, is_open: bool) -> None:
        """The view is opened, or another one."""
        self.is_open = is_open
        if is_open:
            self.draw()

    def draw(self) -> None:
        """Compute what is shown, and show it."""
