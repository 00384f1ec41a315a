"""The page for the ``srcdoc`` of a frame: modules, styles, KaTeX and fonts are in the text itself.

A frame without an address has nothing to ask for files. What it says and hears goes through a port
that the page around it hands over.
"""

from __future__ import annotations

import base64
import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from jinja2 import Template

from ...components.carriers.port import catalog
from ...components.esm import esm
from .. import fonts, frame

HERE = Path(__file__).parent
_FONT_FACE = re.compile(r"@font-face\{.*?\}")


def document(query: str = "") -> str:
    """The page; what stands on it comes through the port.

    Args:
        query: what an address would say of how it looks: it has none.
    """
    return str(_template().render(_variables(), query=query)).lstrip()


@cache
def _template() -> Any:
    return Template(frame.source())


@cache
def _variables() -> dict[str, object]:
    return {
        **frame.variables(),
        "page_title": "Tinkerformer",
        "bokeh_css": f'<link rel="stylesheet" href="{_katex_css()}">',
        "font_css": fonts.css(_font),
        "bokeh_js": f"<script>{_inline(_katex('katex.min.js'))}</script>",
        "classes": catalog.texts(),
        "plot_script": f'<script type="module">{_inline(esm(HERE / "in_frame.js", "begin"))}\n'
        "begin();</script>",
    }


def bokeh_js() -> str:
    """BokehJS, for when the first chart is drawn."""
    return _file("bokeh", "server/static/js/bokeh.min.js")


def _font(name: str) -> str:
    data = (fonts.HERE / f"{name}.woff2").read_bytes()
    return f"data:font/woff2;base64,{base64.b64encode(data).decode()}"


def _katex_css() -> str:
    """KaTeX's style sheet; components find it by its name in the address, and take it along."""
    # Its own font faces name files that are not there.
    rules = _FONT_FACE.sub("", _katex("katex.min.css"))
    return f"data:text/css;name=katex;base64,{base64.b64encode(rules.encode()).decode()}"


def _katex(name: str) -> str:
    """A file of the KaTeX that Panel brings; Panel itself is not imported for it."""
    return _file("panel", f"dist/bundled/katex/katex@*/dist/{name}")


def _file(package: str, pattern: str) -> str:
    spec = find_spec(package)
    folders = (spec.submodule_search_locations if spec else None) or []
    found = [path for folder in folders for path in Path(folder).glob(pattern)]
    if not found:
        raise FileNotFoundError(f"{package} is installed without {pattern}.")
    return found[0].read_text(encoding="utf-8")


def _inline(script: str) -> str:
    """A script that may stand in a page: nothing in it ends it."""
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")
