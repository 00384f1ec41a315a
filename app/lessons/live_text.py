"""Formats the live numbers in a lesson's text."""

import math
from collections.abc import Sequence
from typing import Any

from ..number_text import real_minus
from .expressions import Check, Numbers
from .format import Text


def written(value: Any) -> str:
    """Format a value: three decimals without trailing zeros, and a real minus sign."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    if isinstance(value, int):
        return real_minus(f"{value:,}")
    if not isinstance(value, float) or math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    short = f"{value:z.3f}".rstrip("0").rstrip(".")
    if short == "0" and value:
        short = f"{value:.1e}"
    return real_minus(short)


def spoken(text: Text, live: Sequence[Check], numbers: Numbers) -> Text:
    """Return a text with each live number replaced by its value."""
    if isinstance(text, tuple) and text and text[0] == "live":
        value = live[text[1]](numbers)
        return (_visible(written(value)),)
    return tuple(
        _joined(spoken(part, live, numbers)) if isinstance(part, tuple) else part for part in text
    )


def _visible(said: str) -> str:
    """Replace an invisible token by a visible character, as the page does."""
    return said.replace(" ", "␣") if said.isspace() else said or "∅"


def _joined(part: Text) -> Any:
    """Replace a tuple of one text, such as a formatted number, by that text; keep other marks."""
    return part[0] if len(part) == 1 else part
