"""The page itself, as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment

from ..page import fonts, frame
from .math_files import SCRIPT, SHEET, font_url

HERE = Path(__file__).parent
TITLE = "Tinkerformer"
ELEMENT = "embed/tinkerformer.js"  # the script of course pages, at an address that stays
FIRST_FONTS = ("KaTeX_Main-Regular", "KaTeX_Math-Italic")


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
    variables = frame.variables()
    style = (HERE / "site.css").read_text(encoding="utf-8")
    preloads = [
        *(f'<link rel="modulepreload" href="{folder}{name}">' for name in first_modules),
        f'<link rel="preload" href="{folder}{first_paint}" as="fetch" crossorigin>',
    ]
    return template.render(
        {**variables, "page_css": f"{variables['page_css']}\n{style}"},
        page_title=TITLE,
        parents=parents,
        element=ELEMENT,
        bokeh_css="\n".join((*preloads, f'<link rel="stylesheet" href="{folder}{SHEET}">')),
        bokeh_js=f'<script src="{folder}{SCRIPT}"></script>',
        font_css=fonts.css(lambda name: folder + font_url(name)),
        first_fonts=[folder + font_url(name) for name in FIRST_FONTS],
        plot_script=f'<script type="module" src="{folder}page.js"></script>',
    )
