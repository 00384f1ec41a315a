"""The HTML around the components: the page's regions, panels, menu and help.

Parts without Python are plain HTML, CSS and JavaScript, the same for servers, notebooks and the
static site; regions are empty elements. The renderer provides these variables of the template:

    files           addresses of the files common to all pages, by the names in `texts`; without
                    them, the texts are included in the page
    katex_css       address of KaTeX's style sheet
    katex_js        address of KaTeX's script; or katex_text, its text
    font_css        rules that declare KaTeX's fonts, if katex_css does not
    first_fonts, first_modules, first_files   addresses of files to preload
    module          address of the module that starts the page (on a server, main); or begin, a text
    version         version of the server's files, for a page connected to a server
    classes         texts of components without addresses
    again_js        script that runs before any file is fetched
    tags            meta tags for link previews: kind, name and text of each
    window_title    title of the window, if it is not the page's
    link_in_query   whether a shared link is part of the query, which the server receives
    parents         origins of the pages that may control this one in a frame
"""

from __future__ import annotations

from functools import cache
from html import escape
from pathlib import Path

from .. import theme
from ..board.stages.symbols import all_symbols
from ..components.esm import esm
from ..ideas.kit.symbols import symbol_html
from ..session.title import NAME
from .skeleton import skeleton

HERE = Path(__file__).parent
SYMBOLS = "<!-- symbols -->"


def text(name: str) -> str:
    """Return the text of a file in this folder."""
    return (HERE / name).read_text(encoding="utf-8")


def source() -> str:
    """Return the page's Jinja template."""
    return text("frame.html")


@cache
def texts() -> dict[str, str]:
    """Return the texts common to all pages, by the path of their first file within the app."""
    # The script in the template is no module, so it exports nothing.
    scripts = esm(HERE / "page.js", "begin").replace("export { begin };", "begin();")
    return {
        "shell/address.js": text("address.js"),
        "shell/page.css": theme.css() + "\n" + text("page.css"),
        "shell/page.js": f"(() => {{\n{scripts}}})();\n",
    }


def help_html() -> str:
    """Return the help with the symbols of the page."""
    rows = [
        f"<dt>{' '.join(map(symbol_html, names))}</dt><dd>{escape(meaning)}.</dd>"
        for names, meaning in all_symbols()
    ]
    return text("help.html").replace(SYMBOLS, "\n    ".join(rows))


@cache
def variables() -> dict[str, object]:
    """Return the template variables that are the same for all renderers."""
    return {"texts": texts(), "help_html": help_html(), "skeleton": skeleton(), "page_title": NAME}
