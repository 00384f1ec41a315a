"""Formats the live numbers in a lesson's text."""

from __future__ import annotations

import math
from typing import Any


def written(value: Any) -> str:
    """Format a value: three decimals without trailing zeros, and a real minus sign."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    if isinstance(value, int):
        return f"{value:,}".replace("-", "−")
    if not isinstance(value, float) or math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    short = f"{value:.3f}".rstrip("0").rstrip(".")
    if short in ("0", "-0") and value:
        short = f"{value:.1e}"
    return short.replace("-", "−")
