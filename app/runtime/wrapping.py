"""A method of a library's class, wrapped: where there is no setting for what is wanted."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

Method = Callable[..., Any]


def wrap_once(cls: type, name: str, make: Callable[[Method], Method]) -> None:
    """Put what ``make`` makes of a method in its place, in this process; twice is harmless.

    Args:
        cls: whose method it is.
        name: of the method.
        make: takes the method as it is and gives the one that calls it.
    """
    found = getattr(cls, name)
    marks, mark = getattr(found, "wrapped_by", ()), f"{make.__module__}.{make.__qualname__}"
    if mark in marks:
        return
    new = wraps(found)(make(found))
    new.wrapped_by = (*marks, mark)  # type: ignore[attr-defined]
    setattr(cls, name, new)
