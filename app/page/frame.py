"""The HTML around the components: the frame of the page, its panels and menu, the help.

Everything that needs no Python is plain HTML, CSS and JavaScript here, the same whatever carries
the components to a browser: each region is an empty element. Whoever fills the template says as
``parents`` the origins of which pages may drive this one in a frame, as ``element`` the address of
their script, where that is not ``embed/tinkerformer.js``, and as ``classes`` the texts of
components that have no addresses.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from .. import theme
from .skeleton import skeleton

HERE = Path(__file__).parent
SCRIPTS = ("page.js", "panels.js", "fit.js", "mark.js", "parent.js", "print.js")


def text(name: str) -> str:
    """A file of this folder."""
    return (HERE / name).read_text(encoding="utf-8")


def source() -> str:
    """The page as a Jinja template."""
    return text("frame.html")


@cache
def variables() -> dict[str, object]:
    """What the template needs that is the same on every page."""
    return {
        "address_js": text("address.js"),
        "page_css": theme.css() + "\n" + text("page.css"),
        "page_js": "\n".join(map(text, SCRIPTS)),
        "help_html": text("help.html"),
        "skeleton": skeleton(),
    }
