"""The HTML around the components: the page's regions, panels, menu and help.

Everything that needs no Python is plain HTML, CSS and JavaScript here, the same in all carriers;
each region is an empty element. Whoever renders the template provides

    files           the addresses of what is the same on every page, by the names in `texts`; none:
                    the texts stand in the page itself
    katex_css       the address of KaTeX's rules
    katex_js        that of KaTeX, or katex_text, its text
    font_css        rules that declare its fonts, where katex_css does not
    first_fonts, first_modules, first_files   addresses of what is fetched at once
    module          the address of the module that begins the page, or begin, its text
    version         of the files of the server, for a page that speaks to one
    classes         the texts of components that have no addresses
    again_js        what is run before anything is fetched
    tags            what the head says to chats and feeds, each by a kind, a name and a text
    window_title    the title of the window, if it is not the page's
    link_in_query   whether a shared link is a part of the query, which a server is told
    parents         origins of the pages that may drive this one in a frame
"""

from __future__ import annotations

import re
from functools import cache
from html import escape
from pathlib import Path

from .. import theme
from ..board.stages.symbols import all_symbols
from ..ideas.kit.symbols import symbol_html
from .skeleton import skeleton

HERE = Path(__file__).parent
SYMBOLS = "<!-- symbols -->"
SCRIPTS = (
    *("file.js", "page.js", "keys.js", "layout.js", "areas.js", "panels.js", "drawer.js"),
    *("fit.js", "mark.js", "parent.js", "print.js"),
)
# What joins modules: the page has all of them in one script.
_LINKS = re.compile(r"^(import .*\n|export )", re.MULTILINE)


def text(name: str) -> str:
    """The text of a file in this folder."""
    return (HERE / name).read_text(encoding="utf-8")


def source() -> str:
    """The page's Jinja template."""
    return text("frame.html")


@cache
def texts() -> dict[str, str]:
    """The texts that are the same on every page, by the path of their first file within the app."""
    scripts = "\n".join(map(text, SCRIPTS))
    return {
        "shell/address.js": text("address.js"),
        "shell/page.css": theme.css() + "\n" + text("page.css"),
        "shell/page.js": f"(() => {{\n{_LINKS.sub('', scripts)}}})();\n",
    }


def help_html() -> str:
    """The help, with the symbols of the page."""
    rows = [
        f"<dt>{' '.join(map(symbol_html, names))}</dt><dd>{escape(meaning)}.</dd>"
        for names, meaning in all_symbols()
    ]
    return text("help.html").replace(SYMBOLS, "\n    ".join(rows))


@cache
def variables() -> dict[str, object]:
    """The template variables that are the same for every carrier."""
    return {"texts": texts(), "help_html": help_html(), "skeleton": skeleton()}
