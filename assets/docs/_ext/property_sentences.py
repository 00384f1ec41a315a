"""Keeps docstrings of properties, because Napoleon takes text before a colon for a type."""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx

BEFORE, AFTER = 400, 600  # the priority of Napoleon is 500
_held: dict[str, list[str]] = {}


def hold(_: Sphinx, what: str, name: str, __: Any, ___: Any, lines: list[str]) -> None:
    """Hide sentences without sections from Napoleon."""
    if what in ("attribute", "property") and not any(line.endswith("s:") for line in lines):
        _held[name] = [*lines]
        lines.clear()


def give_back(_: Sphinx, __: str, name: str, ___: Any, ____: Any, lines: list[str]) -> None:
    """Restore the sentences."""
    if name in _held:
        lines[:] = _held.pop(name)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register handlers before and after Napoleon."""
    app.connect("autodoc-process-docstring", hold, priority=BEFORE)
    app.connect("autodoc-process-docstring", give_back, priority=AFTER)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
