"""The page itself, as HTML."""

from __future__ import annotations

from collections.abc import Sequence

from jinja2 import Environment

from ..page import frame
from ..page.fonts import FIRST
from .math_files import SCRIPT, SHEET, font_url

TITLE = "Tinkerformer"
ELEMENT = "embed/tinkerformer.js"  # the script of course pages, at an address that stays


def index(
    folder: str, first_modules: Sequence[str], first_paint: str, parents: Sequence[str] = ()
) -> str:
    """The page as a file.

    Args:
        folder: where all else is, with a slash at the end.
        first_modules: what is drawn at once, beside the module that starts it.
        first_paint: the address of what is shown first.
        parents: origins of the pages that may drive it in a frame.
    """
    template = Environment(autoescape=False).from_string(frame.source())
    return template.render(
        frame.variables(),
        page_title=TITLE,
        parents=parents,
        element=ELEMENT,
        files={name: folder + name for name in frame.texts()},
        katex_css=folder + SHEET,
        katex_js=folder + SCRIPT,
        first_fonts=[folder + font_url(name) for name in FIRST],
        first_modules=[folder + name for name in first_modules],
        first_files=[folder + first_paint],
        module=f"{folder}page.js",
    )
