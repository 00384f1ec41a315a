"""Functions that describe the most common fields of a `form.Form`; `more`: optional entries."""

from collections.abc import Iterable, Sequence
from typing import Any

Field = dict[str, Any]


def note(name: str, value: str, label: str = "") -> Field:
    """Describe a line of text."""
    return {"name": name, "kind": "note", "label": label, "value": value}


def action(name: str, label: str, **more: Any) -> Field:
    """Describe a button."""
    return {"name": name, "kind": "action", "label": label, **more}


def switch(name: str, label: str, value: bool, **more: Any) -> Field:
    """Describe a switch."""
    return {"name": name, "kind": "switch", "label": label, "value": value, **more}


def choice(
    name: str, label: str, value: Any, options: Iterable[Sequence[Any]], **more: Any
) -> Field:
    """Describe a drop-down list; each option is a pair of a value and a label."""
    return {
        "name": name,
        "kind": "choice",
        "label": label,
        "value": value,
        "options": [list(option) for option in options],
        **more,
    }
