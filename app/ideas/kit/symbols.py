"""Converts symbols of the paper to HTML: letters with subscripts and superscripts."""

import re
from html import escape

_PARTS = re.compile(
    r"\\mathrm\{(?P<upright>[^{}]*)\}|"
    r"(?P<mark>[_^])\{(?P<group>(?:[^{}]|\{[^{}]*\})*)\}"
    r"|\\(?P<name>[A-Za-z]+)"
    r"|(?P<one>.)"
)

_IN_TEXT = re.compile(r"\b([A-Za-z][_^])([A-Za-z]+)\b")


class Symbol(str):
    r"""LaTeX of letters with indices, such as ``W_{\mathrm{src}}^{E}``, typeset in tables."""


def symbol_html(latex: str) -> str:
    """Return a symbol as HTML: italic letters, named Greek letters, ``<sub>`` and ``<sup>``."""
    found = []
    for part in _PARTS.finditer(latex):
        if part["upright"]:
            found.append(escape(part["upright"]))
        elif part["mark"]:
            tag = "sub" if part["mark"] == "_" else "sup"
            found.append(f"<{tag}>{_index(part['group'])}</{tag}>")
        elif part["name"]:
            found.append(f"<i>&{part['name']};</i>")
        else:
            found.append(_letter(part["one"]))
    return "".join(found)


def html_with_symbols(text: str) -> str:
    """Return a plain text as HTML, with symbols such as ``d_k`` and ``W^O`` set as in a formula."""

    def symbol(found: re.Match[str]) -> str:
        letter, index = found.groups()
        latex = index if len(index) == 1 else rf"\mathrm{{{index}}}"
        return symbol_html(f"{letter}{{{latex}}}")

    return _IN_TEXT.sub(symbol, escape(text))


def _index(latex: str) -> str:
    upright = re.fullmatch(r"\\mathrm\{(.*)\}", latex)
    if upright:
        return escape(upright[1])
    if latex == r"\prime":
        return "′"
    return _letter(latex)


def _letter(text: str) -> str:
    """Set letters in italics, digits and signs upright."""
    return f"<i>{escape(text)}</i>" if text.isalpha() else escape(text)
