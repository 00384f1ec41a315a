"""The user's pairs or texts during collection, before a model learns them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from transformer_math.data.columns import UNNAMED, labeled
from transformer_math.data.given import MAX_CHARACTERS, Given, Row, pairs_in_files, texts_in
from transformer_math.data.own_texts import blank_of
from transformer_math.data.pairs import as_csv
from transformer_math.data.report import (
    OwnData,
    checked,
    fault_of,
    too_many_words,
    usual_unit,
)
from transformer_math.data.text_checks import MAX_PAIRS, MAX_WORDS, Place
from transformer_math.data.tokenizer import SPECIAL, Unit, units

from ..model.scenario.training_data import OWN_TASKS, DataName, TrainingData
from .plan import TrainingPlan

LEAST_WORDS = 20  # if memory allows fewer words, the problem is the length of the rows
# Alternative encodings of a text file.
ENCODINGS = (
    ("cp1252", "Windows-1252, Western Europe"),
    ("cp1250", "Windows-1250, Central Europe"),
    ("cp1251", "Windows-1251, Cyrillic"),
    ("cp1253", "Windows-1253, Greek"),
    ("cp1254", "Windows-1254, Turkish"),
)
_TYPED = "a table"  # the format of rows that were typed
_ROW = "row"  # the kind of location of a row that was typed or pasted into the table
BLANK_ROWS = 3  # rows of an empty table


@dataclass(frozen=True)
class Draft:
    """Rows that the user pasted, opened or typed, and the task to learn from them."""

    learned: DataName  # pairs, or texts whose next words or blanks are learned
    given: Given  # the rows, with facts about their file
    unit: Unit | None = None  # None for the unit that the sources suggest
    encoding: str | None = None  # the user's choice for the files, if any
    most_words: int | None = None  # learn only rows of the most frequent words, this many
    files: Mapping[str, bytes] | None = None  # the last files, to read them in another encoding

    @classmethod
    def empty(cls, learned: DataName = "own") -> Draft:
        """Return the draft without any rows."""
        columns = ("source", "target") if learned == "own" else ("text",)
        return cls(learned, Given((), _TYPED, columns=columns))

    @classmethod
    def of(cls, data: TrainingData) -> Draft:
        """Return the draft of data that a model already learns."""
        content = data.text.encode("utf-8", "surrogatepass")
        found = replace(cls.empty(data.name), unit=data.unit).with_files({"": content})
        return replace(found, given=replace(found.given, format="the data of this model"))

    @property
    def columns(self) -> int:
        """The number of columns of a row: 2 for pairs, 1 for texts."""
        return 2 if self.learned == "own" else 1

    @property
    def names(self) -> list[str]:
        """The names of the columns, by default the source and the target."""
        unnamed = Draft.empty(self.learned).given.columns
        columns = zip(self.given.columns, unnamed, strict=True)
        return [side if name.startswith(UNNAMED) else name for name, side in columns]

    # -- changes -------------------------------------------------------------------------------

    def with_files(self, files: Mapping[str, bytes], at: int | None = None) -> Draft:
        """Return the draft with the rows of a file or pasted text, or of two parallel files.

        The first new row replaces the row with the index ``at``, as in a spreadsheet; None replaces
        all rows. Raise ``ValueError`` with one sentence if there are no rows.
        """
        given = self._read(files, self.encoding)
        if not any(files):  # a pasted text, which has no encoding
            given = replace(given, encoding="")
        if not given.rows:
            empty = "The file is empty." if any(files) else "There is no text in it."
            raise ValueError(given.skipped[0].message if given.skipped else empty)
        if at is not None:
            before, after = self.given.rows[:at], self.given.rows[at + len(given.rows) :]
            rows = (*before, *(_typed(row.texts) for row in given.rows), *after)
            given = replace(given, rows=_numbered(rows[:MAX_PAIRS]))
        return replace(self, given=given, files=files, most_words=None)

    def _read(self, files: Mapping[str, bytes], encoding: str | None) -> Given:
        names, contents = list(files), list(files.values())
        if self.learned == "own":
            return pairs_in_files(contents, names, encoding)
        if len(contents) > 1:
            raise ValueError("Texts are read from one file.")
        return texts_in(contents[0], encoding)

    def with_encoding(self, encoding: str) -> Draft:
        """Return the draft with its files read in another encoding, or raise ``ValueError``."""
        if self.files is None:
            return self
        return replace(self, given=self._read(self.files, encoding), encoding=encoding)

    def with_learned(self, learned: DataName) -> Draft:
        """Return the draft for another task; its files are read again if needed.

        Raise ``ValueError`` if the files have no rows for the task.
        """
        found = replace(self, learned=learned)
        empty = Draft.empty(learned)
        if found.columns == self.columns:
            return found
        if self.files is not None:
            return replace(found, given=found._read(self.files, self.encoding))
        more = ("",) * (found.columns - 1)
        rows = tuple(Row(row.place, (row.texts[0], *more)) for row in self.given.rows)
        return replace(found, given=replace(empty.given, rows=rows))

    def with_cell(self, row: int, column: int, text: str) -> Draft:
        """Return the draft with a new text in a cell; an index after the last row adds a row.

        A row without any text is removed. Raise ``ValueError`` if there is no such cell, or no room
        for a further row.
        """
        rows = list(self.given.rows)
        if not (0 <= row <= len(rows) and 0 <= column < self.columns and row < MAX_PAIRS):
            raise ValueError("There is no such cell in the table.")
        if row == len(rows):
            rows.append(_typed(("",) * self.columns))
        texts = list(rows[row].texts)
        texts[column] = text
        rows[row : row + 1] = [rows[row]._replace(texts=tuple(texts))] if any(texts) else []
        return self._with_rows(rows)

    def without(self, row: int) -> Draft:
        """Return the draft without a row."""
        rows = self.given.rows
        return self._with_rows((*rows[:row], *rows[row + 1 :]))

    def _with_rows(self, rows: Sequence[Row]) -> Draft:
        return replace(self, given=replace(self.given, rows=_numbered(rows)))

    def swapped(self) -> Draft:
        """Return the draft with sources and targets swapped."""
        rows = tuple(row._replace(texts=row.texts[::-1]) for row in self.given.rows)
        columns = self.given.columns[::-1]
        if labeled(columns) == (1, 0):  # the headings "source" and "target" stay in place
            columns = self.given.columns
        return replace(self, given=replace(self.given, rows=rows, columns=columns))

    # -- the data to learn ---------------------------------------------------------------------

    def checked(self) -> OwnData:
        """Return the rows that can be learned, and a report on all rows."""
        return checked(self.given, self.unit, most_words=self.most_words, blank=self._blank)

    def faults(self, count: int) -> dict[int, str]:
        """Return the reasons why some of the first rows cannot be learned, by row index."""
        unit, blank = self.unit or usual_unit(self.given), self._blank
        found = {at: fault_of(row, unit, blank) for at, row in enumerate(self.given.rows[:count])}
        return {at: fault.message for at, fault in found.items() if fault is not None}

    def places(self, most: int) -> list[str]:
        """Return the names of the first rows, as in the report, and of the empty rows after them.

        If there are more than ``most`` rows, no empty row follows.
        """
        rows = self.given.rows
        blank = 0 if len(rows) > most else max(1, BLANK_ROWS - len(rows))
        named = _numbered((*rows[:most], *[_typed(())] * blank))
        return [str(row.place) for row in named]

    @property
    def _blank(self) -> str | None:
        task = OWN_TASKS.get(self.learned)
        return None if task is None else blank_of(task, self.unit or usual_unit(self.given))


def _typed(texts: tuple[str, ...]) -> Row:
    """Return a row of the table itself, which has no location in a file."""
    return Row(Place(0, _ROW), texts)


def _numbered(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Number the rows of the table from 1; rows from a file keep their lines."""
    return tuple(
        row._replace(place=Place(number, _ROW)) if row.place.kind == _ROW else row
        for number, row in enumerate(rows, 1)
    )


def too_many(own: OwnData, plan: TrainingPlan | None = None) -> tuple[str, int]:
    """Return a sentence if the rows have too many different words, and the largest number allowed.

    The limit is the memory for the ``plan``, or ``MAX_WORDS`` without a plan. The sentence is empty
    and the number 0 if all words can be learned.
    """
    if plan is None:
        sentence = too_many_words(own.report) if own.report.unit == "word" else ""
        return (sentence, MAX_WORDS) if sentence else ("", 0)
    longest = [max(len(units(row[side], own.report.unit)) for row in own.rows) for side in (0, -1)]
    most = plan.most_tokens(*(length + len(SPECIAL) - 1 for length in longest)) - len(SPECIAL)
    sentence = too_many_words(own.report, most, of_targets=True) if most >= LEAST_WORDS else ""
    return (sentence, most) if sentence else ("", 0)


def data_of(learned: DataName, own: OwnData) -> TrainingData:
    """Return the training data of checked rows, with the text that links and files contain.

    Raise ``ValueError`` if that text is too long.
    """
    rows: Sequence[Any] = own.rows
    text = as_csv(rows) if learned == "own" else "\n".join(row[0] for row in rows)
    if len(text) > MAX_CHARACTERS:
        raise ValueError(
            f"These rows have {len(text):,} characters; at most {MAX_CHARACTERS:,} can be learned."
        )
    return TrainingData(learned, text, own.report.unit)
