"""The KaTeX that Panel ships, and its fonts, which Panel does not ship.

Without the fonts, formulas fall back to a text font.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).parent
FACES = tuple(sorted(path.stem for path in HERE.glob("*.woff2")))
FIRST = ("KaTeX_Main-Regular", "KaTeX_Math-Italic")  # needed by every page
_URL = re.compile(r'url\("(.+?)\.woff2"\)')
_FONT_FACE = re.compile(r"@font-face\{.*?\}")


def css(url: Callable[[str], str]) -> str:
    """Return the CSS rules that declare the fonts.

    Args:
        url: returns the address of a font by its name.
    """
    declared = (HERE / "katex.css").read_text(encoding="utf-8")
    return _URL.sub(lambda found: f'url("{url(found[1])}")', declared)


@cache
def katex_folder() -> Path:
    """Return the folder of the KaTeX shipped with Panel, without importing Panel.

    Raises:
        RuntimeError: Panel is not installed, or has no KaTeX.
    """
    panel = find_spec("panel")
    folder = Path(panel.origin).parent if panel and panel.origin else Path()
    found = list((folder / "dist" / "bundled" / "katex").glob("katex@*/dist"))
    if not found:
        raise RuntimeError("Panel, which brings KaTeX, is not installed.")
    return found[0]


def katex_css() -> str:
    """Return the CSS of KaTeX without its font rules, whose files Panel does not ship."""
    return _FONT_FACE.sub("", (katex_folder() / "katex.min.css").read_text(encoding="utf-8"))
