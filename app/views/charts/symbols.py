"""Symbols of the paper as HTML: a letter with what stands below and above it."""

from __future__ import annotations

import re
from html import escape

_PARTS = re.compile(
    r"(?P<mark>[_^])\{(?P<group>(?:[^{}]|\{[^{}]*\})*)\}"
    r"|\\(?P<name>[A-Za-z]+)"
    r"|(?P<one>.)"
)


class Symbol(str):
    r"""LaTeX of a letter with indices, such as ``W_{\mathrm{src}}^{E}``, for a table to typeset."""


def symbol_html(latex: str) -> str:
    """The symbol as HTML: an italic letter, Greek by its name, with ``<sub>`` and ``<sup>``."""
    found = []
    for part in _PARTS.finditer(latex):
        if part["mark"]:
            tag = "sub" if part["mark"] == "_" else "sup"
            found.append(f"<{tag}>{_index(part['group'])}</{tag}>")
        elif part["name"]:
            found.append(f"<i>&{part['name']};</i>")
        else:
            found.append(f"<i>{escape(part['one'])}</i>")
    return "".join(found)


def _index(latex: str) -> str:
    upright = re.fullmatch(r"\\mathrm\{(.*)\}", latex)
    if upright:
        return escape(upright[1])
    return f"<i>{escape(latex)}</i>" if latex.isalpha() else escape(latex)
