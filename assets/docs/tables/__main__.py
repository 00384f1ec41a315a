"""Writes the tables that are made of declarations into the pages of the documentation.

``python assets/docs/tables`` writes them, between the marks of each, and where the page stands in
the built documentation what it is. They stand in the files, so that these can be read where the
code is read; a test compares them with the declarations.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import command_tables
import embedding_tables
import lesson_tables
import live_places
import setting_tables

PAGES = Path(__file__).parents[1]
TABLES: dict[str, Callable[..., str]] = {
    **command_tables.TABLES,
    **embedding_tables.TABLES,
    **lesson_tables.TABLES,
    **setting_tables.TABLES,
}
# ``<!-- made: NAME ARGUMENT -->``, with the blanks that a list has before it.
MARKED = re.compile(
    r"^(?P<blanks> *)<!-- made: (?P<what>[^\n]*?) -->\n.*?^ *<!-- end of made -->\n",
    re.MULTILINE | re.DOTALL,
)


def filled(text: str) -> str:
    """The text of a page with its tables as they are now.

    Raises:
        KeyError: a mark names no table.
    """

    def fill(found: re.Match[str]) -> str:
        blanks, what = found["blanks"], found["what"]
        name, *arguments = what.split()
        made = TABLES[name](*arguments).strip()
        lines = [f"<!-- made: {what} -->", "", *made.splitlines(), "", "<!-- end of made -->"]
        return "".join(f"{blanks}{line}".rstrip() + "\n" for line in lines)

    return live_places.MARKED.sub(live_places.filled, MARKED.sub(fill, text))


def pages() -> list[Path]:
    """All pages that may have tables."""
    return sorted(PAGES.rglob("*.md"))


def main() -> None:
    """Write every page whose tables have changed."""
    for page in pages():
        text = page.read_text(encoding="utf-8")
        new = filled(text)
        if new != text:
            page.write_text(new, encoding="utf-8")
            print(page.relative_to(PAGES))


if __name__ == "__main__":
    main()
