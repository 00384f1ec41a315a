"""Checks of plain data out of a link, a file or a browser: one sentence on what is wrong."""

from __future__ import annotations

from typing import Any

from ..scenario.tokens import has_whole_characters, isolated, quoted


def field(name: str, reader: Any, raw: Any) -> Any:
    """Read one field, and put its name before what is wrong with it."""
    try:
        return reader(raw)
    except ValueError as error:
        message = str(error)
        if message.startswith("The field “"):
            raise
        raise ValueError(f"The field “{name}” is wrong: {message.rstrip('.')}.") from None


def no_others(data: dict[str, Any], known: set[str], what: str) -> None:
    """See that there are no fields but the known ones.

    Raises:
        ValueError: there is another; ``what`` begins the sentence.
    """
    others = [name for name in data if name not in known]
    if others:
        raise ValueError(f"{what} has a field {brief(others[0])} that this page does not know.")


def group(raw: Any, known: set[str]) -> dict[str, Any]:
    """A group of fields with no others than the known ones.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(raw, dict):
        raise ValueError("it is not a group of fields")
    no_others(raw, known, "it")
    return raw


def is_path(raw: Any) -> bool:
    """Whether it can be the path of a matrix: text that can be sent."""
    return isinstance(raw, str) and has_whole_characters(raw)


def whole(raw: Any, low: int, high: int) -> int:
    """A whole number within limits.

    Raises:
        ValueError: it is none.
    """
    if isinstance(raw, bool) or not isinstance(raw, int) or not low <= raw <= high:
        raise ValueError(f"{brief(raw)} is not a whole number from {low} to {high}")
    return raw


def number(raw: Any, low: float, high: float) -> float:
    """A number within limits, which are finite.

    Raises:
        ValueError: it is none.
    """
    if isinstance(raw, bool) or not isinstance(raw, (int, float)) or not low <= raw <= high:
        raise ValueError(f"{brief(raw)} is not a number from {low:,} to {high:,}")
    return float(raw)


def brief(raw: Any) -> str:
    """Something out of a link, short enough for a sentence."""
    message = raw if isinstance(raw, str) else repr(raw) if not isinstance(raw, int) else "a number"
    if isinstance(raw, int) and abs(raw) < 10**12:
        message = str(raw)
    return f"“{isolated(message[:40])}…”" if len(message) > 40 else quoted(message)
