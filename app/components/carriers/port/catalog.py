"""The classes of components that a page may show, as the browser gets them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import cache

from ...component import Component

_PACKAGE = __package__.rpartition(".components")[0]


def component_classes() -> dict[str, type[Component]]:
    """Every class of the house with a module of JavaScript, by name, of what is imported now.

    Raises:
        TypeError: two have one name.
    """
    found: dict[str, type[Component]] = {}
    for cls in _below(Component):
        if not _is_ours(cls) or not cls._esm:
            continue
        if found.setdefault(cls.__name__, cls) is not cls:
            raise TypeError(f"Two components are called {cls.__name__}.")
    return dict(sorted(found.items()))


@cache
def texts() -> str:
    """Each of them, its module and its style sheets, as JSON that may stand in a page."""
    classes = {
        name: {"esm": cls._esm, "styles": list(cls._stylesheets)}
        for name, cls in component_classes().items()
    }
    return json.dumps(classes, ensure_ascii=False).replace("<", "\\u003c")


def _below(cls: type[Component]) -> Iterator[type[Component]]:
    for sub in cls.__subclasses__():
        yield sub
        yield from _below(sub)


def _is_ours(cls: type[Component]) -> bool:
    """Whether it stands in a module of the house, and was not made under its name elsewhere."""
    stands_there = getattr(sys.modules.get(cls.__module__), cls.__name__, None) is cls
    return stands_there and cls.__module__.startswith(f"{_PACKAGE}.")
