"""The classes of components that a page may show, as the browser gets them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import cache

from ...component import Component, module_file

_PACKAGE = __package__.rpartition(".components")[0]


def component_classes() -> dict[str, type[Component]]:
    """Every class of the house that may stand on a page, by name, of what is imported now.

    A class whose module is a text is for documents of others.

    Raises:
        TypeError: two have one name.
    """
    found: dict[str, type[Component]] = {}
    for cls in _below(Component):
        if not _is_ours(cls) or module_file(cls) is None:
            continue
        if found.setdefault(cls.__name__, cls) is not cls:
            raise TypeError(f"Two components are called {cls.__name__}.")
    return dict(sorted(found.items()))


@cache
def modules() -> dict[str, str]:
    """The module of each of them, which exports ``render`` and its style sheets, by its name."""
    return {
        name: f"{cls._esm}\nexport const styles = {json.dumps(cls._stylesheets)};\n"
        for name, cls in component_classes().items()
    }


def texts() -> str:
    """All the modules as JSON that may stand in a page."""
    return json.dumps(modules(), ensure_ascii=False).replace("<", "\\u003c")


def _below(cls: type[Component]) -> Iterator[type[Component]]:
    for sub in cls.__subclasses__():
        yield sub
        yield from _below(sub)


def _is_ours(cls: type[Component]) -> bool:
    """Whether it stands in a module of the house, and was not made under its name elsewhere."""
    stands_there = getattr(sys.modules.get(cls.__module__), cls.__name__, None) is cls
    return stands_there and cls.__module__.startswith(f"{_PACKAGE}.")
