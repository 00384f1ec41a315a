"""Descriptions of the commonest fields, see `form.Form`; `more` are their optional entries."""

from collections.abc import Iterable, Sequence
from typing import Any

Field = dict[str, Any]


def note(name: str, value: str, label: str = "") -> Field:
    """A line to read."""
    return {"name": name, "kind": "note", "label": label, "value": value}


def action(name: str, label: str, **more: Any) -> Field:
    """A button."""
    return {"name": name, "kind": "action", "label": label, **more}


def switch(name: str, label: str, value: bool, **more: Any) -> Field:
    """A switch."""
    return {"name": name, "kind": "switch", "label": label, "value": value, **more}


def choice(
    name: str, label: str, value: Any, options: Iterable[Sequence[Any]], **more: Any
) -> Field:
    """A drop-down list of pairs of a value and its label."""
    return {
        "name": name,
        "kind": "choice",
        "label": label,
        "value": value,
        "options": [list(option) for option in options],
        **more,
    }
