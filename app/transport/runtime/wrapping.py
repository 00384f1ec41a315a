"""Wraps methods of libraries' classes, for behavior that the libraries have no setting for.

These methods may change with any release; `CHECKED` lists the releases that were checked.
"""

import re
from collections.abc import Callable
from functools import wraps
from importlib.metadata import version
from typing import Any

Method = Callable[..., Any]
Release = tuple[int, ...]

# For each library with wrapped methods, the first and the last checked release.
CHECKED: dict[str, tuple[Release, Release]] = {
    "bokeh": ((3, 8, 2), (3, 10)),
    "panel": ((1, 9, 4), (1, 10)),
    "tornado": ((6, 5, 2), (6, 6)),
}


class NoSuchMethod(RuntimeError):
    """The installed release of a library lacks a method; the message is one sentence."""


def wrap_once(cls: type, name: str, make: Callable[[Method], Method]) -> None:
    """Replace a method by its wrapper, once per process; repeated calls have no effect.

    ``make`` takes the original method and returns the wrapper. Raise ``NoSuchMethod`` if the
    installed release of the library lacks the method.
    """
    found = getattr(cls, name, None)
    if found is None:
        raise NoSuchMethod(_missing(cls, name))
    marks, mark = getattr(found, "wrapped_by", ()), f"{make.__module__}.{make.__qualname__}"
    if mark in marks:
        return
    new = wraps(found)(make(found))
    new.wrapped_by = (*marks, mark)  # type: ignore[attr-defined]
    setattr(cls, name, new)


def unchecked(installed: Callable[[str], str] = version) -> str:
    """Return a line about the libraries with unchecked releases; empty if there are none."""
    found = {library: installed(library) for library in CHECKED}
    others = [
        f"{library} {number} (checked: {_range(library)})"
        for library, number in found.items()
        if not _is_checked(library, number)
    ]
    if not others:
        return ""
    return f"The page changes methods of libraries and was not checked with {', '.join(others)}."


def _missing(cls: type, name: str) -> str:
    library = cls.__module__.partition(".")[0]
    method = f"{cls.__module__}.{cls.__qualname__}.{name}"
    if library not in CHECKED:
        return f"There is no method {method}, which the page changes."
    return (
        f"{library} {version(library)} has no method {method}, which the page changes; "
        f"install one of the versions {_range(library)}."
    )


def _range(library: str) -> str:
    first, last = (".".join(map(str, each)) for each in CHECKED[library])
    return f"{first} to {last}"


def _is_checked(library: str, number: str) -> bool:
    first, last = CHECKED[library]
    found = tuple(map(int, re.findall(r"\d+", number)))
    return first <= found and found[: len(last)] <= last
