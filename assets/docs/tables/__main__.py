"""Writes tables that are derived from declarations into the pages of the documentation.

``python assets/docs/tables`` writes each table between its marks, and the address of each live
page. The tables are stored in the pages, so that the pages can be read without building them; a
test compares the tables with the declarations.
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
# ``<!-- made: NAME ARGUMENT -->``, indented as the list that contains it.
MARKED = re.compile(
    r"^(?P<blanks> *)<!-- made: (?P<what>[^\n]*?) -->\n.*?^ *<!-- end of made -->\n",
    re.MULTILINE | re.DOTALL,
)


def filled(text: str) -> str:
    """Return the text of a page with its tables derived again.

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
    """Return all pages that may have tables."""
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
