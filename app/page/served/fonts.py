"""KaTeX's fonts, as Panel's server hands them out."""

from pathlib import Path
from typing import ClassVar

from panel.io.state import state

from .. import fonts


class MathFonts:
    """Panel's server hands out the files that a class lists under `css`; here they are fonts."""

    css: ClassVar[list[Path]] = fonts.FILES


def url(name: str) -> str:
    """Address of a font, relative to the page that asks."""
    base = f"{state.rel_path}/" if state.rel_path else ""
    return f"{base}components/{__name__}/{MathFonts.__name__}/css/{name}.woff2"


def css() -> str:
    """The rules that name the fonts."""
    return fonts.css(url)
