"""The base class of sections: a heading, an experiment, and the question that it answers."""

from html import escape
from typing import Any

from ... import theme
from ...components.component import Placed
from ...components.layout import HTML, Column

HEAD = "h2 { margin-bottom: 4px; }"
QUESTION = "p { max-width: 70ch; margin: 2px 0 12px; color: var(--muted); font-size: 14px; }"


class Section:
    """One experiment, computed only while the section is open.

    A subclass has a title and a question, passes its contents to ``__init__``, and computes them in
    ``draw``, which ``_follow`` calls while the section is open.
    """

    title: str
    question: str

    def __init__(self, *placed: Placed) -> None:
        self.is_open = False
        # The question is below the result.
        head = HTML(f"<h2>{escape(self.title)}</h2>", stylesheets=[theme.PROSE, HEAD], margin=0)
        self.asked = HTML(stylesheets=[theme.PROSE, QUESTION], margin=0)
        self.show_question(self.question)
        self.column = Column(head, *placed, self.asked)

    def show_question(self, question: str) -> None:
        self.asked.update_changed(object=f"<p>{escape(question)}</p>")

    def show(self, is_open: bool) -> None:
        self.is_open = is_open
        self._follow()

    def _follow(self, *_: Any) -> None:
        if self.is_open:
            self.draw()

    def draw(self) -> None:
        """Compute and show the result."""
