"""The HTML that Panel's server delivers, with the port that transmits everything else.

Panel's own templates are not used: their placeholders, designs and links cost more than the whole
page. The scripts of Panel and Bokeh are not used either: the page uses its port directly.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bokeh.document import Document
from panel.io.resources import parse_template

from ... import shared_files as kept
from ...cards.card import Card
from ...cards.tags import PICTURE, tags
from ...session.title import NAME
from ...transport.panel.page_port import PagePort
from ...transport.security import headers, parents
from ...transport.security.patches import guard
from .. import frame

HERE = Path(__file__).parent
TEMPLATE = parse_template(frame.source())


def put_into(document: Document, port: PagePort, *, is_plain: bool = True) -> None:
    """Set up a document with a page; a browser can send messages only to its port.

    The meta tags describe pages in general; ``transport/hosting/cards.py`` replaces them by the
    tags of a shared link.

    Args:
        document: the document of the session.
        port: the port of the page.
        is_plain: whether the page shows all parts.
    """
    guard(document)
    document.title = NAME
    document.template = TEMPLATE
    shared, here = kept.shared(), _from(document)
    main = shared.modules["BoardComponent"]
    document.template_variables.update(
        frame.variables(),
        tags=tags(Card(), "", ""),
        picture=here(PICTURE),
        link_in_query=True,
        files={name: here(address) for name, address in shared.texts.items()},
        katex_css=here(shared.math),
        katex_js=here(shared.katex),
        first_fonts=[*map(here, shared.fonts)],
        first_modules=[here(shared.main), *map(here, kept.first_modules() if is_plain else [main])],
        main=here(shared.main),
        port=port.id,
        version=shared.version,
        parents=parents.allowed(),
        again_js=(HERE / "again.js").read_text(encoding="utf-8"),
        **{headers.WORD: headers.word()},
    )


def _from(document: Document) -> Callable[[str], str]:
    """Return a function that makes a server address relative to the page.

    Panel's value is not used, because the page's query can change it.
    """
    # The page that warms up a process has no server.
    server = document.session_context and document.session_context.server_context
    place = str(server.application_context.url) if server else "/"
    ups = "../" * place.strip("/").count("/")
    return lambda address: f"{ups}{address}"
