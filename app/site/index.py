"""Renders the HTML of the static page."""

from collections.abc import Sequence

from jinja2 import Environment

from ..cards.card import Card
from ..cards.tags import PICTURE, tags
from ..shell import frame
from ..shell.fonts import FIRST
from .math_files import SCRIPT, SHEET, font_url


def index(
    folder: str,
    first_modules: Sequence[str],
    first_paint: str,
    parents: Sequence[str] = (),
    address: str = "",
) -> str:
    """Return the page as HTML; ``parents`` and ``address`` are as in ``build``.

    The folder of all other files has a trailing slash. The ``first_modules`` are preloaded: the
    entry module and the components that are drawn first. ``first_paint`` is the address of the
    recorded first messages.
    """
    template = Environment(autoescape=False).from_string(frame.source())
    return template.render(
        frame.variables(),
        tags=tags(Card(), address, f"{address}{PICTURE}"),
        parents=parents,
        files={name: folder + name for name in frame.texts()},
        katex_css=folder + SHEET,
        katex_js=folder + SCRIPT,
        first_fonts=[folder + font_url(name) for name in FIRST],
        first_modules=[folder + name for name in first_modules],
        first_files=[folder + first_paint],
        module=f"{folder}page.js",
    )
