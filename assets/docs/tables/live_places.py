"""Places for the live page in the built documentation, and their text in the files.

A mark is ``<!-- live: VIEW; NAME: VALUE -->``, with any attributes of the element.
"""

from __future__ import annotations

import re
from typing import NamedTuple

MARKED = re.compile(
    r"^<!-- live: (?P<said>[^\n]*?) -->\n.*?^<!-- end of live -->\n", re.MULTILINE | re.DOTALL
)


class Place(NamedTuple):
    """The view of a place, and attributes by name."""

    view: str
    given: dict[str, str]


def place(said: str) -> Place:
    """Return the place that a mark describes."""
    view, *rest = (each.strip() for each in said.split(";"))
    pairs = (each.partition(":") for each in rest)
    return Place(view, {name.strip(): value.strip() for name, _, value in pairs})


def filled(found: re.Match[str]) -> str:
    """Return a mark with the text that readers of the file see."""
    said = found["said"]
    view, given = place(said)
    title = given.get("title", "the whole page")
    what = (
        f"*{title}: the built documentation shows the live page here. On a running page, open "
        f"`?view={view}`.*"
    )
    return f"<!-- live: {said} -->\n\n{what}\n\n<!-- end of live -->\n"


def as_directive(found: re.Match[str]) -> str:
    """Return the directive that replaces a mark in the built documentation."""
    view, given = place(found["said"])
    options = "".join(f":{name}: {value}".rstrip() + "\n" for name, value in given.items())
    return f"```{{live}} {view}\n{options}```\n"
