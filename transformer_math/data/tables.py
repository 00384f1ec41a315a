"""Reads tables of texts: separated values, JSON lines, parallel files, and lists."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from transformer_math.data.text_checks import MAX_PAIRS, SIDES, Place, Skipped

SEPARATORS = {",": "comma", "\t": "tab", ";": "semicolon"}  # the first is the default
_MAX_LINE = 10_000  # characters
_MAX_LINES = MAX_PAIRS + 1  # one may be a header
_MAX_LINES_OF_RECORD = 10  # lines of a quoted text with line breaks
_SAMPLE = 1_000  # lines by which the separator is found
_TRANSLATION = "translation"  # the field of Hugging Face's data sets of translations
_MAX_CELLS = 100


class Record(NamedTuple):
    """The cells of one line, or of one item of a list.

    Attributes:
        place: the place of the record.
        cells: the cells; None for a field that is missing or not a text.
    """

    place: Place
    cells: tuple[str | None, ...]


class Table(NamedTuple):
    """Records, which are read one after the other.

    Attributes:
        format: the format, such as ``tab-separated``.
        records: the records, and an entry for each line that is not a record.
        names: the names of the columns, if they are known before the first record.
        separator: the name of the separator of columns, if there is one. With a separator, the
            first record may be a header.
        unread: the number of lines beyond the limit, which are not read.
    """

    format: str
    records: Iterator[Record | Skipped]
    names: tuple[str, ...] = ()
    separator: str = ""
    unread: int = 0


# -- separated values ----------------------------------------------------------------------------


def table_of_text(text: str) -> Table:
    """Return the table of a text: JSON, or columns separated by tabs, commas or semicolons."""
    lines, unread = numbered_lines(text)
    table = _json_table(text, lines, unread)
    if table is not None:
        return table
    separator = _separator([line for _, line in lines[:_SAMPLE] if len(line) <= _MAX_LINE])
    name = SEPARATORS[separator]
    return Table(f"{name}-separated", _separated(lines, separator), (), name, unread)


def numbered_lines(text: str) -> tuple[list[tuple[int, str]], int]:
    """Return the lines of a text that are not blank, with their numbers from 1.

    Returns:
        The lines up to the limit, and the number of lines after these.
    """
    filled = ((number, line) for number, line in enumerate(_lines(text), 1) if line.strip())
    return list(islice(filled, _MAX_LINES)), sum(1 for _ in filled)


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of a text, which end with ``\\n``, ``\\r`` or ``\\r\\n``.

    ``str.splitlines`` would also split at form feeds.
    """
    return (line.removesuffix("\n") for line in io.StringIO(text.removeprefix("\ufeff"), None))


def _separator(lines: Sequence[str]) -> str:
    """Return the separator with which most lines have the same number of columns, two or more."""

    def fitness(separator: str) -> tuple[int, int, bool, int, bool]:
        rows = [_cells_of_line(line, separator, is_sample=True) or [] for line in lines]
        counts = Counter(len(row) for row in rows if len(row) > 1)
        usual, lines_of_usual = counts.most_common(1)[0] if counts else (0, 0)
        is_tab = usual > 0 and separator == "\t"
        in_sentences = sum(cell.startswith(" ") for row in rows for cell in row[1:])
        return counts.total(), lines_of_usual, is_tab, -in_sentences, usual == 2

    return max(SEPARATORS, key=fitness)


def _separated(lines: list[tuple[int, str]], separator: str) -> Iterator[Record | Skipped]:
    # In tab-separated tables, quotation marks are often part of the text.
    is_quoted = separator != "\t" or all(
        _cells_of_line(line, separator) for _, line in lines if '"' in line
    )
    at = 0
    while at < len(lines):
        number, line = lines[at]
        found, used = _record(lines, at, separator) if is_quoted else (line.split(separator), 1)
        at += used
        place = Place(number)
        if len(line) > _MAX_LINE:
            said = f"has {len(line):,} characters; at most {_MAX_LINE:,} are read."
            yield Skipped(number, f"{place.first} {said}", "characters of a line")
        elif found is None:
            said = "has a quotation mark that is not closed, or text after the closing one."
            yield Skipped(number, f"{place.first} {said}", "quotation marks")
        else:
            yield Record(place, tuple(found))


def _record(
    lines: list[tuple[int, str]], first: int, separator: str
) -> tuple[list[str] | None, int]:
    """Return the cells of a record and the number of its lines; quoted cells may have line breaks.

    The cells are None if a quotation mark is not closed within ``_MAX_LINES_OF_RECORD`` lines; in
    that case the record is the first line.
    """
    for used in range(1, min(_MAX_LINES_OF_RECORD, len(lines) - first) + 1):
        content = "\n".join(line for _, line in lines[first : first + used])
        if len(content) > _MAX_LINE:
            break
        cells = _cells_of_line(content, separator)
        if cells is not None:
            return cells, used
    return None, 1


def _cells_of_line(line: str, separator: str, *, is_sample: bool = False) -> list[str] | None:
    """Return the cells of a line; None if it is not well-formed.

    The cells of a sample need not be well-formed, and keep the spaces after separators.
    """
    is_strict = not is_sample
    reader = csv.reader([line], delimiter=separator, strict=is_strict, skipinitialspace=is_strict)
    try:
        return next(reader)
    except csv.Error:
        return None


# -- JSON and lists ------------------------------------------------------------------------------


def _json_table(text: str, lines: list[tuple[int, str]], unread: int) -> Table | None:
    """Return the table of JSON lines or of one JSON document; None if the text is neither."""
    if not lines or lines[0][1].lstrip()[:1] not in ("{", "["):
        return None
    first = _parsed(lines[0][1])
    if len(lines) > 1 and not isinstance(first, Skipped):
        return _table_of_items([(Place(n), _parsed(line, n)) for n, line in lines], "JSON", unread)
    whole = _parsed(text.removeprefix("\ufeff"))
    if isinstance(whole, Mapping):  # such as {"data": […]}
        whole = next((value for value in whole.values() if isinstance(value, list)), [whole])
    if not isinstance(whole, list):
        return None
    if len(whole) == 2 and all(isinstance(item, str) for item in whole):
        whole = [whole]
    return table_of_list(whole, "JSON", "item")


def table_of_list(values: Sequence[Any], form: str = "a list", kind: str = "pair") -> Table:
    """Return the table of a list of objects with named fields, or of pairs."""
    items = [(Place(n, kind), value) for n, value in enumerate(values[:_MAX_LINES], 1)]
    return _table_of_items(items, form, len(values) - len(items))


def _table_of_items(items: list[tuple[Place, Any]], form: str, unread: int) -> Table:
    names = tuple(map(str, _fields(items[0][1]) or ())) if items else ()
    return Table(form, (_item(*each, names) for each in items), names, "", unread)


def _parsed(text: str, line: int = 1) -> Any:
    """Return the value of a JSON text; for any other text the error, as a value."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return Skipped(line, f"Line {line:,} is no JSON.", "JSON")


def _fields(item: Any) -> Mapping[Any, Any] | None:
    """Return the fields of an object; None if it has no named fields."""
    if not isinstance(item, Mapping):
        return None
    inner = item.get(_TRANSLATION)
    return inner if isinstance(inner, Mapping) else item


def _item(place: Place, item: Any, names: tuple[str, ...]) -> Record | Skipped:
    if isinstance(item, Skipped):
        return item
    fields = _fields(item)
    if fields is not None:
        cells = [fields.get(name) for name in names or fields]
    elif isinstance(item, Iterable) and not isinstance(item, str | bytes):
        cells = list(islice(item, _MAX_CELLS))
    else:
        return Skipped(place.number, f"{place.first} is no pair of two texts.", "no pair")
    return Record(place, tuple(_text(cell) for cell in cells))


def _text(cell: Any) -> str | None:
    """Return a cell as text; whole numbers are texts, too."""
    is_whole = isinstance(cell, int) and not isinstance(cell, bool)
    return str(cell) if is_whole or isinstance(cell, str) else None


# -- two sides -----------------------------------------------------------------------------------


def table_of_files(source: str, target: str, names: tuple[str, str]) -> Table:
    """Return the table of two texts that are parallel, line by line.

    Raises:
        ValueError: the texts have different numbers of lines.
    """
    sides = [list(_lines(text)) for text in (source, target)]
    length = min(map(len, sides))
    for side in sides:
        while len(side) > length and not side[-1].strip():
            del side[-1]
    return table_of_sides(sides[0], sides[1], "two parallel files", names, "line")


def table_of_sides(
    sources: Sequence[Any],
    targets: Sequence[Any],
    form: str = "two lists",
    names: tuple[str, str] = SIDES,
    kind: str = "pair",
) -> Table:
    """Return the table of sources and their targets.

    Raises:
        ValueError: the numbers of sources and targets differ.
    """
    if len(sources) != len(targets):
        raise ValueError(
            f"There are {len(sources):,} sources and {len(targets):,} targets; each source has one "
            "target, in the same order."
        )
    pairs = enumerate(zip(sources, targets, strict=True), 1)
    return Table(form, (_item(Place(number, kind), pair, ()) for number, pair in pairs), names)
