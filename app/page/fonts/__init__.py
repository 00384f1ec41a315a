"""KaTeX's fonts. Panel brings KaTeX without them, and formulas fall back to a text font."""

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

HERE = Path(__file__).parent

# File, and the family, weight and style under which KaTeX asks for it.
FACES = {
    "KaTeX_Main-Regular": ("KaTeX_Main", 400, "normal"),
    "KaTeX_Main-Bold": ("KaTeX_Main", 700, "normal"),
    "KaTeX_Math-Italic": ("KaTeX_Math", 400, "italic"),
    "KaTeX_AMS-Regular": ("KaTeX_AMS", 400, "normal"),
    "KaTeX_Size1-Regular": ("KaTeX_Size1", 400, "normal"),
    "KaTeX_Size2-Regular": ("KaTeX_Size2", 400, "normal"),
    "KaTeX_Size3-Regular": ("KaTeX_Size3", 400, "normal"),
    "KaTeX_Size4-Regular": ("KaTeX_Size4", 400, "normal"),
}


class MathFonts:
    """Panel's server hands out the files beside a class that lists them under `css`."""

    css: ClassVar[list[Path]] = [HERE / f"{name}.woff2" for name in FACES]


def css(url: Callable[[str], str]) -> str:
    """Return the `@font-face` rules, to stand after KaTeX's own so that they win.

    Args:
        url: the address of a font by its name.
    """
    return "\n".join(
        f"@font-face {{ font-family: {family}; font-weight: {weight}; font-style: {style}; "
        f'src: url("{url(name)}") format("woff2"); }}'
        for name, (family, weight, style) in FACES.items()
    )
