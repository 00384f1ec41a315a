"""KaTeX's fonts, as Panel's server hands them out."""

from panel.io.state import state

from .. import fonts

NAME = fonts.MathFonts.__name__


def url(name: str) -> str:
    """Address of a font, relative to the page that asks."""
    base = f"{state.rel_path}/" if state.rel_path else ""
    return f"{base}components/{fonts.__name__}/{NAME}/css/{name}.woff2"


def css() -> str:
    """The rules that name the fonts."""
    return fonts.css(url)
