"""The page around the components: the frame, the view, the inspector, and the panels over them.

Everything that needs no server is plain HTML here (the frame of the page, its
panels and menu, light and dark, the help), so that opening the page
costs the server only its few live components.  Panel's own templates are not
used: their stand-ins, designs and cross-links doubled that cost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import panel as pn
from bokeh.document import Document
from bokeh.model import Model
from panel.io.resources import parse_template
from panel.theme import Design
from panel.viewable import Viewable

from .. import theme
from ..components.carriers.panel import carry
from ..components.component import Placed
from . import fonts
from .skeleton import skeleton

HERE = Path(__file__).parent
SCRIPTS = ("page.js", "panels.js", "fit.js", "connection.js", "late_models.js")
REGIONS = (
    "model",
    "views",
    "actions",
    "files",
    "menu",
    "sentence",
    "next",
    "bar",
    "left",
    "main",
    "right",
    "guide",
)


def _text(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


TEMPLATE = parse_template(_text("template.html"))

# The same for every session, so put together once.
_STATIC = {
    "page_css": theme.css() + "\n" + _text("page.css"),
    "page_js": "\n".join(map(_text, SCRIPTS)),
    "help_html": _text("help.html"),
    "skeleton": skeleton(),
    "regions": REGIONS,
}


class PageTemplate:
    """Places components in the regions of the page, in the order given.

    `title` is the page's heading and its name in the browser tab.
    """

    def __init__(self, *, title: str = "Tinkerformer", **regions: Sequence[Placed]) -> None:
        """A page; `regions` are the components of each, by the region's name."""
        self.regions = {name: regions.pop(name, ()) for name in REGIONS}
        if regions:
            raise TypeError(f"The page has no region called {', '.join(regions)}.")
        self.title = title

    def servable(self) -> PageTemplate:
        """Make this the page of the session that is being opened, if one is."""
        doc = pn.state.curdoc
        if doc is not None and doc.session_context is not None:
            self.server_doc(doc)
        return self

    def server_doc(self, doc: Document) -> Document:
        """Put the page into a document."""
        # Bokeh goes through all models after each root, unless asked to wait for the last one.
        with doc.models.freeze():
            for place, (name, region, item) in enumerate(self._items()):
                item.design = Design  # a bare one: Panel's own would color everything over again
                # The first also sets the session up, which is wanted only once.
                root = self._first_root(item, doc) if place == 0 else _further_root(item, doc)
                root.name = name
                root.tags = [*root.tags, region]
        doc.template = TEMPLATE
        doc.template_variables.update(_STATIC, page_title=self.title, **_font_variables())
        return doc

    def _first_root(self, item: Viewable, doc: Document) -> Model:
        item.server_doc(doc, title=self.title, location=False)
        return doc.roots[0]

    def _items(self) -> Iterator[tuple[str, str, Viewable]]:
        for region, items in self.regions.items():
            for number, item in enumerate(items):
                yield f"{region}_{number}", region, carry(item)


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
