"""Checks the user's pairs or texts, and reports which were read and which were skipped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from transformer_math.data.given import Given, Row
from transformer_math.data.text_checks import (
    MAX_PAIRS,
    MAX_WORDS,
    SIDES,
    BadLine,
    Skipped,
    check_text,
)
from transformer_math.data.tokenizer import Unit, shown, units

_FIRST = 3  # rows that a report shows
_SHOWN = 60  # characters of a text in a report
_REASONS = 4  # reasons that a report lists


@dataclass(frozen=True)
class Report:
    """A summary of the rows that were read, with numbers and examples.

    Attributes:
        format: the format that was found, such as ``tab-separated``.
        encoding: the encoding that was found; empty if texts were given.
        columns: the names of the used columns: of sources and targets, or of texts.
        ignored: the names of the other columns.
        unit: whether a token is a character or a word.
        count: the number of pairs or texts.
        different: the numbers of different words or characters in each column.
        longest: the pair with the longest side, or the longest text; empty if there is none.
        first: the first three rows.
        skipped: the lines that were skipped, each with the reason.
        unread: the number of lines after those that were read.
    """

    format: str
    encoding: str
    columns: tuple[str, ...]
    ignored: tuple[str, ...]
    unit: Unit
    count: int
    different: tuple[int, ...]
    longest: tuple[str, ...]
    first: tuple[tuple[str, ...], ...]
    skipped: tuple[Skipped, ...]
    unread: int

    @property
    def name(self) -> str:
        """The kind of the rows in the singular: ``pair`` or ``text``."""
        return "pair" if len(self.columns) > 1 else "text"

    def sentences(self) -> list[str]:
        """Return the report as sentences, one for each subject."""
        words = " and ".join(f"{count:,}" for count in self.different)
        said = [f"{_counted(self.count, self.name)} with {words} different {self.unit}s."]
        without = f"without {', '.join(self.ignored)}" if self.ignored else ""
        is_usual = self.columns in (("text",), SIDES, ("column 1", "column 2"))
        columns = "" if is_usual else " → ".join(self.columns)
        said.append(f"Read as {'; '.join(filter(None, [self._form(), columns, without]))}.")
        if self.longest:
            lengths = " and ".join(f"{len(units(text, self.unit)):,}" for text in self.longest)
            said.append(f"Longest ({lengths} {self.unit}s): {shown_row(self.longest)}.")
            said.append(f"First: {'; '.join(map(shown_row, self.first))}.")
        said += [self.reasons()] if self.skipped else []
        if self.unread:
            said.append(
                f"Not read: {_counted(self.unread, 'more line')}; at most {MAX_PAIRS:,} can be "
                "learned."
            )
        return said

    def _form(self) -> str:
        return f"{self.format}, {self.encoding}" if self.encoding else self.format

    def reasons(self) -> str:
        """Return the first skipped line of each reason, and the number of other lines."""
        by_kind: dict[str, list[str]] = {}
        for line in self.skipped:
            by_kind.setdefault(line.kind, []).append(line.message)
        kinds = sorted(by_kind.values(), key=len, reverse=True)
        said = [
            messages[0] + (f" ({len(messages) - 1:,} more like this.)" if messages[1:] else "")
            for messages in kinds[:_REASONS]
        ]
        return f"Skipped {_counted(len(self.skipped), 'line')}. {' '.join(said)}"


class OwnData(NamedTuple):
    """Rows that are valid training data, and the report on all rows.

    Attributes:
        rows: sources and targets, or texts; if tokens are words, with single spaces.
        report: the report.
    """

    rows: tuple[tuple[str, ...], ...]
    report: Report


def checked(
    given: Given,
    unit: Unit | None = None,
    *,
    most_words: int | None = None,
    blank: str | None = None,
) -> OwnData:
    """Return the rows that are valid training data.

    Args:
        given: the rows.
        unit: ``word`` or ``character``; None for words if most sources have several words, else
            characters.
        most_words: keep only rows whose words are among this many most frequent words of their
            column; None for all rows.
        blank: the token of a blank, which no text may contain; None if there is none.
    """
    chosen = usual_unit(given) if unit is None else unit
    skipped = list(given.skipped)
    rows: list[Row] = []
    for row in given.rows:
        fault = fault_of(row, chosen, blank)
        if fault is None:
            rows.append(row)
        else:
            skipped.append(fault)
    if most_words is not None:
        rows, rare = _frequent(rows, chosen, most_words)
        skipped += rare
    texts = [row.texts for row in rows]
    longest = max(texts, key=lambda row: max(len(units(text, chosen)) for text in row), default=())
    report = Report(
        format=given.format,
        encoding=given.encoding,
        columns=given.columns,
        ignored=given.ignored,
        unit=chosen,
        count=len(texts),
        different=tuple(map(len, _frequencies(rows, chosen, len(given.columns)))),
        longest=longest,
        first=tuple(texts[:_FIRST]),
        skipped=tuple(sorted(skipped)),
        unread=given.unread,
    )
    return OwnData(tuple(tuple(_plain(text, chosen) for text in row) for row in texts), report)


def usual_unit(given: Given) -> Unit:
    """Return ``word`` if at least half of the sources have several words, else ``character``."""
    several = sum(len(row.texts[0].split()) > 1 for row in given.rows)
    return "word" if 2 * several >= len(given.rows) else "character"


def too_many_words(report: Report, most: int = MAX_WORDS, *, of_targets: bool = False) -> str:
    """Return an error message if there are too many different words, else an empty text.

    Args:
        report: the report on the rows.
        most: the number of different words that can be learned in a column.
        of_targets: whether only the last column is counted.
    """
    names = SIDES if len(report.columns) > 1 else ("text",)
    columns = list(zip(names, report.different, strict=True))
    for name, count in columns[-1:] if of_targets else columns:
        if count > most:
            return (
                f"The {name}s have {count:,} different {report.unit}s; at most {most:,} can be "
                "learned."
            )
    return ""


def fault_of(row: Row, unit: Unit, blank: str | None = None) -> Skipped | None:
    """Return the reason why a row cannot be learned; None if it can be learned."""
    try:
        _check(row, unit, blank)
    except BadLine as error:
        return Skipped(error.line, str(error), error.kind)
    return None


def _check(row: Row, unit: Unit, blank: str | None) -> None:
    sides = SIDES if len(row.texts) > 1 else ("text",)
    for side, text in zip(sides, row.texts, strict=True):
        check_text(row.place, side, text, unit)
        if blank is not None and blank in units(text, unit):
            raise BadLine(
                row.place.number,
                f"{row.place.first} has {blank}, which stands for a blank: give whole texts, the "
                "blanks are drawn.",
                "blank",
            )


def _plain(text: str, unit: Unit) -> str:
    """Return a text as training data; if tokens are words, with single spaces."""
    return " ".join(text.split()) if unit == "word" else text


def _frequencies(rows: Sequence[Row], unit: Unit, columns: int) -> list[Counter[str]]:
    """Count each word or character in each column."""
    return [
        Counter(chain.from_iterable(units(row.texts[at], unit) for row in rows))
        for at in range(columns)
    ]


def _frequent(rows: Sequence[Row], unit: Unit, most: int) -> tuple[list[Row], list[Skipped]]:
    """Return the rows whose words are among the most frequent of their column, and other rows."""
    columns = len(rows[0].texts) if rows else 0
    known = [
        {word for word, _ in counts.most_common(most)}
        for counts in _frequencies(rows, unit, columns)
    ]
    kept, skipped = [], []
    for row in rows:
        words = zip(row.texts, known, strict=True)
        rare = next((w for text, own in words for w in units(text, unit) if w not in own), None)
        if rare is None:
            kept.append(row)
        else:
            said = f"{shown(rare)} is not among the {most:,} most frequent {unit}s"
            line = row.place.number
            skipped.append(Skipped(line, f"{row.place.first} is left out: {said}.", "rare words"))
    return kept, skipped


def _counted(count: int, name: str) -> str:
    return f"{count:,} {name}" if count == 1 else f"{count:,} {name}s"


def shown_row(row: Iterable[str]) -> str:
    """Return a row for a message, its texts shortened."""
    return " → ".join(f"“{text[:_SHOWN]}…”" if len(text) > _SHOWN else f"“{text}”" for text in row)
