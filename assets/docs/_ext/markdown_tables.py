"""Tables that are made of declarations: a directive of each is a function that gives Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown; what stands in a cell is Markdown, too."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines)


def code(text: object) -> str:
    """A text as code; of none, nothing."""
    return f"`{text}`" if str(text) else ""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def add_made_directive(
    app: Sphinx, name: str, make: Callable[..., str], arguments: int = 0
) -> None:
    """A directive in whose place stands what a function makes of its arguments."""

    class Made(SphinxDirective):
        required_arguments = arguments

        def run(self) -> list[nodes.Node]:
            return self.parse_text_to_nodes(make(*self.arguments), allow_section_headings=True)

    app.add_directive(name, Made)


def extension(directives: dict[str, tuple[Callable[..., str], int]]) -> Callable[[Sphinx], Any]:
    """What Sphinx calls to have these directives."""

    def setup(app: Sphinx) -> dict[str, Any]:
        for name, (make, arguments) in directives.items():
            add_made_directive(app, name, make, arguments)
        return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

    return setup
