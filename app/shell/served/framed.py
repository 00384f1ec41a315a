"""The page in an iframe, as the only root of a document for ``bokeh.embed.server_document``.

As separate roots, the components would appear one below another in the host page, without the
page's colors and fonts. The host page's arguments become the query of the iframe's address.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode, urlsplit

import panel as pn
from panel.theme import Design

from ...components.framed.framed import Framed
from ...transport.hosting import embed_script
from ...transport.hosting.cards import LINK
from ...transport.hosting.compression import compress_answers
from ...transport.panel import carry
from ...transport.security.patches import guard

PAGE = "main"  # the address of the page, in the same folder
OF_BOKEH = ("bokeh-", "resources")


def serve_framed() -> None:
    """Add the iframe to the document of the session that is being opened."""
    compress_answers()
    pn.extension(browser_info=False)
    guard(pn.state.curdoc)
    arguments = {
        name: values[0].decode(errors="replace") for name, values in pn.state.session_args.items()
    }
    host = pn.state.headers.get("Host", "")
    root = carry(framed(arguments, host))
    root.design = Design  # Panel's default design would load style sheets from another host
    # No location: the address bar belongs to a host page, whose relative addresses do not lead to
    # this server.
    root.server_doc(pn.state.curdoc, title="Tinkerformer", location=False)


def framed(arguments: Mapping[str, str], host: str) -> Framed:
    """Create the iframe for a request.

    Args:
        arguments: the query of the address, including Bokeh's own arguments.
        host: the host and port of the browser's request.
    """
    asked = {k: v for k, v in arguments.items() if not k.startswith(OF_BOKEH)}
    height, link = asked.pop("height", "auto"), asked.pop(LINK, "")
    base = _base(arguments.get("bokeh-absolute-url", ""), host)
    query = f"?{urlencode(asked)}" if asked else ""
    return Framed(
        value=f"{base}{PAGE}{query}{f'#{LINK}={link}' if link else ''}",
        script=f"{base}{embed_script.ADDRESS}",
        height=height,
    )


def _base(absolute: str, host: str) -> str:
    """Return the address of the page's folder for the browser; empty if on another server.

    The address is absolute, because a host page has another address. It must be on this server,
    because scripts are loaded from there.
    """
    found = urlsplit(absolute)
    if found.scheme not in ("http", "https") or found.netloc != host:
        return ""
    return f"{found.scheme}://{found.netloc}{found.path.rpartition('/')[0]}/"
