"""The measured tables as Markdown: all of them in the documentation, the main rows in the README.

``measured.json`` stores each group with its date, machine and load before it, so that one group can
be measured again without the others.
"""

import datetime
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from tests.benchmarks.machine import Load, machine
from tests.benchmarks.table import Row, Table

ROOT = Path(__file__).parents[2]
KEPT = Path(__file__).parent / "measured.json"
PAGE = ROOT / "assets" / "docs" / "performance.md"
README = ROOT / "README.md"
BEGIN, END = "<!-- measured -->\n", "<!-- end of measured -->\n"

NOTHING = "Nothing was measured yet.\n"
GROWTH = (
    "![How cost grows, in milliseconds: a pass and an orbit of 60 passes by tokens, width and "
    "layers; an edit to its frame by sessions]({})"
)

Kept: TypeAlias = Mapping[str, Any]  # group -> its date, machine, load and tables


def keep(group: str, tables: Iterable[Table], order: Iterable[str], load: Load) -> None:
    """Replace the measurements of a group, and write both tables."""
    kept = read()
    kept[group] = {
        "date": str(datetime.datetime.now(tz=datetime.UTC).date()),
        "machine": machine(),
        "load": str(load),
        "tables": [[table.heading, [list(row) for row in table.rows]] for table in tables],
    }
    in_order = {name: kept[name] for name in order if name in kept}
    KEPT.write_text(lines_of(in_order), encoding="utf-8")
    for file, text in ((PAGE, page(in_order)), (README, main_rows(in_order))):
        file.write_text(between(file.read_text(encoding="utf-8"), text), encoding="utf-8")


def lines_of(kept: Kept) -> str:
    """Return the JSON of all groups, with one line for each row of a table."""
    text = json.dumps(kept, indent=1, ensure_ascii=False)
    text = re.sub(r"\[\n {6}(?=\S)", "[", text)  # a row begins
    return re.sub(r"\n {5}(?=\])", "", re.sub(r"\n {6}(?=\S)", " ", text)) + "\n"


def read() -> dict[str, Any]:
    """Return the stored measurements."""
    kept: dict[str, Any] = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.is_file() else {}
    return kept


def between(text: str, new: str) -> str:
    """Return a text with new words between the two marks.

    Raises:
        ValueError: a mark is missing.
    """
    before, _, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise ValueError(f"What was measured is written between {BEGIN!r} and {END!r}.")
    return f"{before}{BEGIN}\n{new}\n{END}{after}"


def page(kept: Kept) -> str:
    """Return the picture, and each table under its heading, with its origin and definitions."""
    parts = [GROWTH.format("../pictures/growth.png")] if "growth" in kept else []
    for group in kept.values():
        for heading, rows in group["tables"]:
            rows = [Row(*row) for row in rows]
            notes = list(dict.fromkeys(row.definition for row in rows))
            head = ("measured", "Tinkerformer", "compared with", "ratio", "target", "definition")
            cells = [
                (*_cells(row), row.limit, str(notes.index(row.definition) + 1)) for row in rows
            ]
            listed = "\n".join(f"{k}. {note}" for k, note in enumerate(notes, 1))
            told = f"Measured on {_origin(group)}."
            parts.append(f"### {heading}\n\n{told}\n\n{_table(head, cells)}\n\n{listed}")
    return "\n\n".join(parts) + "\n" if parts else NOTHING


def main_rows(kept: Kept) -> str:
    """Return the main rows of all groups in one table with their origins, and the picture."""
    cells, origins = [], set()
    for group in kept.values():
        rows = [Row(*row) for _, rows in group["tables"] for row in rows]
        cells += [_cells(row) for row in rows if row.main]
        origins |= {_origin(group) for row in rows if row.main}
    if not cells:
        return NOTHING
    listed = _table(("measured", "Tinkerformer", "compared with", "ratio"), cells)
    picture = GROWTH.format("assets/pictures/growth.png") + "\n" if "growth" in kept else ""
    return f"{listed}\n\nMeasured on {'; '.join(sorted(origins))}.\n\n{picture}".rstrip() + "\n"


def _origin(group: Kept) -> str:
    return f"{day(group['date'])}: {group['machine']}; before the measurement: {group['load']}"


def day(date: str) -> str:
    """Format a date for a text, such as 3 May 2026."""
    then = datetime.date.fromisoformat(date)
    return f"{then.day} {then:%B %Y}"


def _cells(row: Row) -> tuple[str, ...]:
    return row.what, row.here, row.beside, row.ratio


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = (head, ("---",) * len(head), *rows)
    return "\n".join(f"|{'|'.join(cell.replace('|', '/') for cell in each)}|" for each in lines)
