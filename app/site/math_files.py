"""KaTeX and its fonts."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from ..page import fonts

SCRIPT, SHEET = "katex/katex.min.js", "katex/katex.min.css"


def math_files() -> dict[str, bytes]:
    """The files, by their addresses."""
    katex = _katex()
    return {
        SCRIPT: (katex / "katex.min.js").read_bytes(),
        SHEET: (katex / "katex.min.css").read_bytes(),
        **{font_url(name): (fonts.HERE / f"{name}.woff2").read_bytes() for name in fonts.FACES},
    }


def font_url(name: str) -> str:
    """The address of a font."""
    return f"katex/{name}.woff2"


def katex_version() -> str:
    """Which KaTeX it is."""
    return _katex().parent.name.partition("@")[2]


def _katex() -> Path:
    """The KaTeX that Panel brings, so that a served page and this one set formulas alike."""
    panel = find_spec("panel")
    if panel is None or panel.origin is None:
        raise RuntimeError("Panel, which brings KaTeX, is not installed.")
    [found] = (Path(panel.origin).parent / "dist" / "bundled" / "katex").glob("katex@*/dist")
    return found
