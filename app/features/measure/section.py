"""Declares the base class of sections: a heading, an experiment, and the question it answers."""

from html import escape
from typing import Any

from ... import theme
from ...components.component import Placed
from ...components.layout import HTML, Column
from ...explain.units import in_units
from ...session.state import AppState

HEAD = "h2 { margin-bottom: 4px; }"
QUESTION = "p { max-width: 70ch; margin: 2px 0 12px; color: var(--muted); font-size: 14px; }"


class Section:
    """One experiment, computed only while the section is open.

    A subclass has a title and a question, passes its contents to ``__init__``, and computes them in
    ``draw``, which ``_follow`` calls while the section is open.
    """

    title: str
    question: str
    state: AppState

    def __init__(self, *placed: Placed) -> None:
        self.is_open = False
        # The question is below the result.
        self.head = HTML(stylesheets=[theme.PROSE, HEAD], margin=0)
        self.asked = HTML(stylesheets=[theme.PROSE, QUESTION], margin=0)
        self.column = Column(self.head, *placed, self.asked)

    def show_question(self, question: str) -> None:
        text = in_units(self.state.scenario, question)
        self.asked.update_changed(object=f"<p>{escape(text)}</p>")

    def show(self, is_open: bool) -> None:
        self.is_open = is_open
        self._follow()

    def _follow(self, *_: Any) -> None:
        if self.is_open:
            title = in_units(self.state.scenario, self.title)
            self.head.update_changed(object=f"<h2>{escape(title)}</h2>")
            self.show_question(self.question)
            self.draw()

    def draw(self) -> None:
        """Compute and show the result."""
