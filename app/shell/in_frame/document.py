"""The page for an iframe's ``srcdoc``, with modules, styles, KaTeX and fonts inlined.

Such an iframe has no address from which it could load files. It exchanges messages with Python
through a port that the surrounding page provides.
"""

from __future__ import annotations

import base64
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Template

from ...components.esm import esm
from ...transport.port import catalog
from ...transport.port.bokeh_js import bokeh_js as bokeh_js_file
from .. import fonts, frame

HERE = Path(__file__).parent


def document(query: str = "") -> str:
    """Return the page's HTML; the components are sent through the port.

    Args:
        query: the display options, as in the query of an address.
    """
    return str(_template().render(_variables(), query=query)).lstrip()


@cache
def _template() -> Any:
    return Template(frame.source())


@cache
def _variables() -> dict[str, object]:
    return {
        **frame.variables(),
        "katex_css": _katex_css(),
        "font_css": fonts.css(_font),
        "katex_text": _inline(_text(fonts.katex_folder() / "katex.min.js")),
        "classes": catalog.texts(),
        "begin": _inline(esm(HERE / "in_frame.js", "begin")) + "\nbegin();",
    }


def bokeh_js() -> str:
    """Return the source of BokehJS, which an iframe requests for its first chart."""
    return _text(bokeh_js_file())


def _font(name: str) -> str:
    data = (fonts.HERE / f"{name}.woff2").read_bytes()
    return f"data:font/woff2;base64,{base64.b64encode(data).decode()}"


def _katex_css() -> str:
    """Return KaTeX's style sheet as a data URL; components find it by its ``name``."""
    rules = base64.b64encode(fonts.katex_css().encode()).decode()
    return f"data:text/css;name=katex;base64,{rules}"


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _inline(script: str) -> str:
    """Escape a script so that it can be embedded in a page."""
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")
