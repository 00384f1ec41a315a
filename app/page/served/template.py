"""The page as Panel's server gives it out: its frame, and the port through which all else comes.

Panel's own templates are not used: their stand-ins, designs and cross-links cost more than all of
the page.
"""

from __future__ import annotations

from pathlib import Path

from bokeh.document import Document
from panel.io.resources import parse_template
from panel.theme import Design

from ...components.carriers.panel.page_port import PagePort
from ...components.carriers.port import catalog
from ...components.esm import esm
from ...runtime import headers, parents
from ...runtime.patches import guard
from .. import frame
from . import element, fonts

HERE = Path(__file__).parent
TITLE = "Tinkerformer"
TEMPLATE = parse_template(frame.source())


def _connection() -> str:
    """The script that watches the connection; it has to be there before Bokeh opens its socket."""
    name = "begin"
    joined = esm(HERE / "connection.js", name).replace(f"export {{ {name} }};", f"{name}();")
    return f"(() => {{\n{joined}}})();"


# The same for every session, so put together once.
_CONNECTION = _connection()


def put_into(document: Document, port: PagePort) -> None:
    """Put a page into a document, to whose port alone a browser can say something."""
    guard(document)
    port.design = Design  # a bare one: Panel's own would color everything over again
    port.server_doc(document, title=TITLE, location=False)
    document.template = TEMPLATE
    document.template_variables.update(
        frame.variables(),
        served_js=_CONNECTION,
        classes=catalog.texts(),
        page_title=TITLE,
        parents=parents.allowed(),
        element=element.address(),
        font_css=fonts.css(),
        first_fonts=[fonts.url("KaTeX_Main-Regular"), fonts.url("KaTeX_Math-Italic")],
        **{headers.WORD: headers.word()},
    )
