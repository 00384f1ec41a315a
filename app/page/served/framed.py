"""The page in a frame, as the one root of a document: what ``bokeh.embed.server_document`` takes.

Its components as roots of another page's document would stand there one below the other, without
the page's colors and fonts. What that page gives as arguments is asked of the frame's address.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode, urlsplit

import panel as pn
from panel.theme import Design

from ...components.carriers.panel import carry
from ...components.framed.framed import Framed
from ...hosting.compression import compress_answers
from ...security.patches import guard
from . import element

PAGE = "main"  # beside which this is served
LINK = "s"  # the argument that is the code of a shared link
OF_BOKEH = ("bokeh-", "resources")


def serve_framed() -> None:
    """Put the page's frame into the document of the session that is being opened."""
    compress_answers()
    pn.extension(browser_info=False)
    guard(pn.state.curdoc)
    arguments = {
        name: values[0].decode(errors="replace") for name, values in pn.state.session_args.items()
    }
    host = pn.state.headers.get("Host", "")
    root = carry(framed(arguments, host))
    root.design = Design  # a bare one: Panel's own would ask its sheets of another host
    # Without Panel's link to the address bar: that is of a page on which addresses of this server
    # are not to be relative.
    root.server_doc(pn.state.curdoc, title="Tinkerformer", location=False)


def framed(arguments: Mapping[str, str], host: str) -> Framed:
    """The frame that was asked for.

    Args:
        arguments: of the address, Bokeh's own among them.
        host: which the browser asked, with its port.
    """
    asked = {k: v for k, v in arguments.items() if not k.startswith(OF_BOKEH)}
    height, link = asked.pop("height", "auto"), asked.pop(LINK, "")
    base = _base(arguments.get("bokeh-absolute-url", ""), host)
    query = f"?{urlencode(asked)}" if asked else ""
    return Framed(
        value=f"{base}{PAGE}{query}{f'#{LINK}={link}' if link else ''}",
        script=f"{base}{element.address()}",
        height=height,
    )


def _base(absolute: str, host: str) -> str:
    """The address of the folder that the page is in, as its reader knows it.

    A document of others has an address of its own. Whatever is said, only this server is meant:
    scripts are loaded from there.
    """
    found = urlsplit(absolute)
    if found.scheme not in ("http", "https") or found.netloc != host:
        return ""
    return f"{found.scheme}://{found.netloc}{found.path.rpartition('/')[0]}/"
