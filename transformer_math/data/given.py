"""Reads pairs and texts from files, texts and lists of users."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from os import PathLike
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from transformer_math.checks import NoSuchFile
from transformer_math.data.columns import Columns, columns_of, is_label
from transformer_math.data.encodings import Decoded, decode
from transformer_math.data.tables import (
    Record,
    Table,
    numbered_lines,
    table_of_files,
    table_of_list,
    table_of_sides,
    table_of_text,
)
from transformer_math.data.text_checks import MAX_PAIRS, SIDES, Place, Skipped

MAX_CHARACTERS = 3_900_000  # of all texts together, as CSV
_SAMPLE = 1_000  # records by which the columns are chosen


class Row(NamedTuple):
    """A source and its target, or a single text.

    Attributes:
        place: the place of the row in the file or list.
        texts: the source and the target, or the text.
    """

    place: Place
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Given:
    """Unchanged rows, before their words are counted and checked.

    Attributes:
        rows: the rows; their texts keep all spaces.
        format: the format that was found, such as ``tab-separated``.
        encoding: the encoding that was found; empty if texts were given.
        is_guess: whether the bytes would be a text in other encodings as well.
        columns: the names of the columns of the rows.
        ignored: the names of the columns that are ignored.
        skipped: the lines that are no rows.
        unread: the number of lines beyond the limit, which were not read.
    """

    rows: tuple[Row, ...]
    format: str
    encoding: str = ""
    is_guess: bool = False
    columns: tuple[str, ...] = SIDES
    ignored: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    unread: int = 0


def given_pairs(source: Any, target: Any = None, encoding: str | None = None) -> Given:
    """Return the pairs of a file, a list, or of two files or lists.

    Args:
        source: a path, the content of a file as bytes, or an iterable of pairs or of objects with
            the fields of a pair; with ``target``, any of these with sources alone.
        target: the targets, if they are in a separate file or list.
        encoding: the encoding of files; None to find it.

    Raises:
        OSError: a file cannot be read.
        ValueError: the argument has no pairs; the message is one sentence.
    """
    if hasattr(source, "to_dict") and hasattr(source, "columns"):  # a data frame
        source = source.to_dict("records")
    sides = [source] if target is None else [source, target]
    if all(isinstance(side, str | PathLike | bytes) for side in sides):
        names = [PurePath(side).name if isinstance(side, str | PathLike) else "" for side in sides]
        return pairs_in_files([_content(side) for side in sides], names, encoding)
    for side in sides:
        if isinstance(side, str | PathLike | bytes) or not isinstance(side, Iterable):
            raise ValueError(
                "Pairs are the path of a file, a list of pairs of a source and a target, or a list "
                f"of sources and one of targets, not {side!r:.40}."
            )
    lists = [list(side) for side in sides]
    if target is not None:
        return given_table(table_of_sides(lists[0], lists[1]))
    if lists[0] and isinstance(lists[0][0], str):
        raise ValueError(
            "A list of texts has no targets: give a list of pairs, (source, target), or the list "
            "of targets beside it; next_words and blanks learn from texts alone."
        )
    return given_table(table_of_list(lists[0]))


def _content(file: Any) -> bytes:
    """Return the content of a file.

    Raises:
        NoSuchFile: there is no such file.
        OSError: the file cannot be read.
        ValueError: the argument is a text instead of a path, or the path of a folder.
    """
    if isinstance(file, bytes):
        return file
    if isinstance(file, str) and ("\n" in file or "\t" in file):
        raise ValueError(
            f"The path of a file is wanted, not its content, which begins {file[:20]!r}: read_csv "
            "reads a content."
        )
    path = Path(file)
    if path.is_dir():
        raise ValueError(f"{path} is a folder, and pairs are read from a file.")
    if not path.exists():
        raise NoSuchFile(f"There is no file {path} to read pairs from.")
    return path.read_bytes()


def pairs_in_files(
    contents: Sequence[bytes], names: Sequence[str], encoding: str | None = None
) -> Given:
    """Return the pairs of a file, or of two files that are parallel, line by line.

    Args:
        contents: the contents of one or two files.
        names: the names of the files; their extensions may be codes of languages.
        encoding: the encoding; None to find it.

    Raises:
        ValueError: a file is no text, there are more than two files, or their lengths differ.
    """
    if len(contents) > len(SIDES):
        raise ValueError(f"Pairs are in one file or in two parallel ones, not in {len(contents)}.")
    decoded = [decode(content, encoding) for content in contents]
    if len(decoded) == 1:
        return given_table(table_of_text(decoded[0].text), decoded)
    source, target = (_label(name) or side for name, side in zip(names, SIDES, strict=True))
    texts = decoded[0].text, decoded[1].text
    return given_table(table_of_files(*texts, (source, target)), decoded)


def _label(name: str) -> str:
    """Return a name for a column that is a file: its extension, if that is a side or language."""
    extension = PurePath(name).suffix.removeprefix(".")
    return extension if is_label(extension) else name


def given_table(table: Table, decoded: Sequence[Decoded] = ()) -> Given:
    """Return the pairs of a table."""
    begun = list(islice(table.records, _SAMPLE))
    cells = [record.cells for record in begun if isinstance(record, Record)]
    columns = columns_of(cells, table.names, may_have_header=bool(table.separator))
    rows = _rows(chain(begun, table.records), columns, table.separator)
    given = _within_limits(rows, table.format, decoded)
    return replace(
        given,
        columns=columns.names,
        ignored=columns.ignored,
        unread=given.unread + table.unread,
    )


def texts_in(file: bytes | str, encoding: str | None = None) -> Given:
    """Return the texts of a file, or of its content, one on each line.

    Raises:
        ValueError: the file is no text.
    """
    decoded = [decode(file, encoding)] if isinstance(file, bytes) else []
    lines, unread = numbered_lines(file if isinstance(file, str) else decoded[0].text)
    rows = (Row(Place(number), (line.strip(" "),)) for number, line in lines)
    given = _within_limits(rows, "a text on each line", decoded)
    return replace(given, columns=("text",), unread=given.unread + unread)


def _within_limits(found: Iterable[Row | Skipped], form: str, decoded: Sequence[Decoded]) -> Given:
    """Return the first rows, up to the limits of training data."""
    rows: list[Row] = []
    skipped: list[Skipped] = []
    characters = unread = 0
    for each in found:
        if len(rows) + len(skipped) == MAX_PAIRS or characters > MAX_CHARACTERS:
            unread += 1
        elif isinstance(each, Skipped):
            skipped.append(each)
        else:
            rows.append(each)
            characters += sum(len(text) + text.count('"') + 3 for text in each.texts)
    return Given(
        rows=tuple(rows),
        format=form,
        encoding=" and ".join(dict.fromkeys(each.encoding for each in decoded)),
        is_guess=any(each.is_guess for each in decoded),
        skipped=tuple(skipped),
        unread=unread,
    )


def _rows(
    records: Iterable[Record | Skipped], columns: Columns, separator: str
) -> Iterator[Row | Skipped]:
    """Yield the rows of records, without the header."""
    is_header = columns.has_header
    for record in records:
        if isinstance(record, Skipped):
            yield record
        elif is_header:
            is_header = False
        else:
            yield _row(record, columns, separator)


def _row(record: Record, columns: Columns, separator: str) -> Row | Skipped:
    place, cells = record
    found = "1 column" if len(cells) == 1 else f"{len(cells)} columns"
    if len(cells) > columns.width:
        hint = f": a text with a {separator} in it needs quotation marks" if separator else ""
        message = f"{place.first} has {found}, and most have {columns.width}{hint}."
        return Skipped(place.number, message, "more columns")
    if len(cells) <= max(columns.source, columns.target):
        between = f", a {separator} and its target" if separator else " and its target"
        message = f"{place.first} has {found} and needs {columns.width}: a source{between}."
        return Skipped(place.number, message, "fewer columns")
    texts = cells[columns.source], cells[columns.target]
    if texts[0] is None or texts[1] is None:
        name = columns.names[0 if texts[0] is None else 1]
        return Skipped(place.number, f"{place.first} has no text as its “{name:.40}”.", "no text")
    return Row(place, (texts[0], texts[1]))
