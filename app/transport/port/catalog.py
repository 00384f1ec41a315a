"""The component classes that a page may show, with their ES modules."""

import json
import sys
from collections.abc import Iterator
from functools import cache

from ...components.component import SHARED, Component, module_file
from ...components.esm import esm

# The page loads these once for all components; see classes.js.
_PROVIDED = {
    SHARED / "lit-html.js": "globalThis.litHtml",
    SHARED / "display_frame.js": "globalThis.displayFrame",
}
_PACKAGE = __package__.partition(".")[0]


def component_classes() -> dict[str, type[Component]]:
    """Return all component classes of this package that have been imported, by name.

    Classes without a module file are left out: they are for other documents.
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
    """Return the ES module of each class by name; it exports ``render`` and its style sheets."""
    entries = {name: module_file(cls) for name, cls in component_classes().items()}
    return {
        name: f"{esm(entry, provided=_PROVIDED)}\nexport const styles = {_styles(name)};\n"
        for name, entry in entries.items()
        if entry is not None
    }


def _styles(name: str) -> str:
    return json.dumps(component_classes()[name]._stylesheets)


def texts() -> str:
    """Return all modules as JSON that can be embedded in HTML."""
    return json.dumps(modules(), ensure_ascii=False).replace("<", "\\u003c")


def _below(cls: type[Component]) -> Iterator[type[Component]]:
    for sub in cls.__subclasses__():
        yield sub
        yield from _below(sub)


def _is_ours(cls: type[Component]) -> bool:
    """Return whether the class is defined in this package, at the top level of its module."""
    stands_there = getattr(sys.modules.get(cls.__module__), cls.__name__, None) is cls
    return stands_there and cls.__module__.startswith(f"{_PACKAGE}.")
