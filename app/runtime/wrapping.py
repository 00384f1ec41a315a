"""Wraps a method of a library's class, for behavior that the library has no setting for."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

Method = Callable[..., Any]


def wrap_once(cls: type, name: str, make: Callable[[Method], Method]) -> None:
    """Replace a method by its wrapper, once per process; repeated calls have no effect.

    Args:
        cls: the class whose method is wrapped.
        name: the name of the method.
        make: takes the original method and returns the wrapper.
    """
    found = getattr(cls, name)
    marks, mark = getattr(found, "wrapped_by", ()), f"{make.__module__}.{make.__qualname__}"
    if mark in marks:
        return
    new = wraps(found)(make(found))
    new.wrapped_by = (*marks, mark)  # type: ignore[attr-defined]
    setattr(cls, name, new)
