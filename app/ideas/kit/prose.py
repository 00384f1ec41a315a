"""Writes the text and tables beside the charts."""

from collections.abc import Sequence
from html import escape

from ... import theme
from ...components.layout import HTML
from .symbols import Symbol, symbol_html


def text(heading: str, text: str) -> HTML:
    """Return a heading and a paragraph; either may be empty."""
    title = f"<h2>{escape(heading)}</h2>" if heading else ""
    body = f"<p>{escape(text)}</p>" if text else ""
    return HTML(title + body, stylesheets=[theme.PROSE])


def paragraphs(sentences: Sequence[str]) -> str:
    """Return the markup of several paragraphs; empty ones are left out."""
    return "".join(f"<p>{escape(each)}</p>" for each in sentences if each)


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> HTML:
    """Return a table of texts and symbols."""

    def shown(cell: str) -> str:
        return symbol_html(cell) if isinstance(cell, Symbol) else escape(cell)

    def line(cells: tuple[str, ...], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{shown(cell)}</{tag}>" for cell in cells) + "</tr>"

    text = "<table><thead>" + line(head, "th") + "</thead><tbody>"
    text += "".join(line(cells, "td") for cells in rows) + "</tbody></table>"
    return HTML(text, stylesheets=[theme.PROSE])
