"""Provides KaTeX and its fonts as files of the site."""

from ..shell import fonts

SCRIPT, SHEET = "katex/katex.min.js", "katex/katex.min.css"


def math_files() -> dict[str, bytes]:
    """Return the files of KaTeX and its fonts by their addresses."""
    sheet = fonts.css("{}.woff2".format) + fonts.katex_css()
    return {
        SCRIPT: (fonts.katex_folder() / "katex.min.js").read_bytes(),
        SHEET: sheet.encode(),
        **{font_url(name): (fonts.HERE / f"{name}.woff2").read_bytes() for name in fonts.FACES},
    }


def font_url(name: str) -> str:
    """Return the address of a font."""
    return f"katex/{name}.woff2"


def katex_version() -> str:
    """Return the version of KaTeX."""
    return fonts.katex_folder().parent.name.partition("@")[2]
