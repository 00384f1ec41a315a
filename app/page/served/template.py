"""The page as Panel's server gives it out: its components as roots of a document.

Panel's own templates are not used: their stand-ins, designs and cross-links doubled the cost of
opening the page.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import panel as pn
from bokeh.document import Document
from bokeh.model import Model
from panel.io.resources import parse_template
from panel.theme import Design
from panel.viewable import Viewable

from ...components.carriers.panel import carry
from ...components.esm import esm
from ...runtime import headers, parents
from ...runtime.patches import guard
from .. import frame
from ..page import Page
from . import element, fonts

HERE = Path(__file__).parent


def _text(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


def _connection() -> str:
    """The script that watches the connection; it has to be there before Bokeh opens its socket."""
    name = "begin"
    joined = esm(HERE / "connection.js", name).replace(f"export {{ {name} }};", f"{name}();")
    return f"(() => {{\n{joined}}})();"


TEMPLATE = parse_template(frame.source(_text("roots.html")))
# The same for every session, so put together once.
_SCRIPTS = "\n".join((_connection(), _text("late_models.js")))


def servable(page: Page) -> Page:
    """Make this the page of the session that is being opened, if one is."""
    doc = pn.state.curdoc
    if doc is not None and doc.session_context is not None:
        put_into(doc, page)
    return page


def put_into(doc: Document, page: Page) -> Document:
    """Put a page into a document, of which a browser can set nothing but what is declared."""
    guard(doc)
    # Bokeh goes through all models after each root, unless asked to wait for the last one.
    with doc.models.freeze():
        for place, (name, region, item) in enumerate(_items(page)):
            item.design = Design  # a bare one: Panel's own would color everything over again
            # The first also sets the session up, which is wanted only once.
            root = _first_root(item, doc, page) if place == 0 else _further_root(item, doc)
            root.name = name
            root.tags = [*root.tags, region]
    doc.template = TEMPLATE
    doc.template_variables.update(
        frame.variables(),
        served_js=_SCRIPTS,
        regions=tuple(page.regions),
        page_title=page.title,
        parents=parents.allowed(),
        element=element.address(),
        **{headers.WORD: headers.word()},
        **_font_variables(),
    )
    return doc


def _items(page: Page) -> Iterator[tuple[str, str, Viewable]]:
    for region, items in page.regions.items():
        for number, item in enumerate(items):
            yield f"{region}_{number}", region, carry(item)


def _first_root(item: Viewable, doc: Document, page: Page) -> Model:
    item.server_doc(doc, title=page.title, location=False)
    return doc.roots[0]


def _further_root(item: Viewable, doc: Document) -> Model:
    root = item.get_root(doc)
    item._documents[doc] = root
    doc.add_root(root)
    doc.on_session_destroyed(item._server_destroy)
    return root


def _font_variables() -> dict[str, object]:
    return {
        "font_css": fonts.css(),
        "first_fonts": [fonts.url("KaTeX_Main-Regular"), fonts.url("KaTeX_Math-Italic")],
    }
