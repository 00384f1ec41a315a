"""The page as Panel's server gives it out: its frame, and the port through which all else comes.

Panel's own templates are not used: their stand-ins, designs and cross-links cost more than all of
the page. Nor are the scripts of Panel and Bokeh: the page speaks to its port by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bokeh.document import Document
from panel.io.resources import parse_template

from ... import shared_files as kept
from ...components.carriers.panel.page_port import PagePort
from ...security import headers, parents
from ...security.patches import guard
from .. import frame
from . import element

HERE = Path(__file__).parent
TITLE = "Tinkerformer"
TEMPLATE = parse_template(frame.source())


def put_into(document: Document, port: PagePort, *, is_plain: bool = True) -> None:
    """Put a page into a document, to whose port alone a browser can say something.

    Args:
        document: of the session.
        port: of the page.
        is_plain: whether all of the page stands on it.
    """
    guard(document)
    document.title = TITLE
    document.template = TEMPLATE
    shared, here = kept.shared(), _from(document)
    main = shared.modules["BoardComponent"]
    document.template_variables.update(
        frame.variables(),
        page_title=TITLE,
        files={name: here(address) for name, address in shared.texts.items()},
        katex_css=here(shared.math),
        katex_js=here(shared.katex),
        first_fonts=[*map(here, shared.fonts)],
        first_modules=[here(shared.main), *map(here, kept.first_modules() if is_plain else [main])],
        main=here(shared.main),
        port=port.id,
        parents=parents.allowed(),
        element=element.address(),
        again_js=(HERE / "again.js").read_text(encoding="utf-8"),
        **{headers.WORD: headers.word()},
    )


def _from(document: Document) -> Callable[[str], str]:
    """What makes an address of the server's one from a page.

    Not by what Panel takes for it: that is what the query of the page says, where it says it.
    """
    # The page that warms a process up is of no server.
    server = document.session_context and document.session_context.server_context
    place = str(server.application_context.url) if server else "/"
    ups = "../" * place.strip("/").count("/")
    return lambda address: f"{ups}{address}"
