"""The data of the date translator: ``1676-11-30`` becomes ``November 30, 1676``.

Days are of the proleptic Gregorian calendar, which extends to centuries before its introduction.
"""

from __future__ import annotations

import calendar
import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from transformer_math.arguments import checked
from transformer_math.data.pairs import Pairs
from transformer_math.data.text_checks import held_out_count
from transformer_math.data.tokenizer import DATES
from transformer_math.seeding import generator

SOURCE_LENGTH = 12  # 1676-11-30 and two special tokens
TARGET_LENGTH = 20  # September 30, 1676 and two special tokens
FIRST_YEAR, LAST_YEAR = 1000, 2999
# Not calendar.month_name, which depends on the machine's locale.
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
EXAMPLES = (
    ("1845-01-05", "January 5, 1845"),
    ("1467-07-28", "July 28, 1467"),
    ("1468-01-11", "January 11, 1468"),
    ("1996-09-08", "September 8, 1996"),
    ("1959-03-02", "March 2, 1959"),
)

_FIRST_DAY = datetime.date(FIRST_YEAR, 1, 1)
_DAYS = (datetime.date(LAST_YEAR + 1, 1, 1) - _FIRST_DAY).days


def iso(day: datetime.date) -> str:
    """Return a day as ``1676-11-30``."""
    return day.isoformat()


def english(day: datetime.date) -> str:
    """Return a day as ``November 30, 1676``."""
    return f"{MONTHS[day.month - 1]} {day.day}, {day.year}"


def translate(text: str) -> str:
    """Return the translation of a date such as ``1676-11-30``.

    Raises:
        ValueError: the text has another form, or there is no such day in the years 1000–2999.
    """
    if not re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        raise ValueError("A date is four digits, two and two with - between, as in 1676-11-30.")
    year, month, day = map(int, text.split("-"))
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise ValueError(f"The year lies from {FIRST_YEAR} to {LAST_YEAR}, not {text[:4]}.")
    if not 1 <= month <= 12:
        raise ValueError(f"The month lies from 01 to 12, not {text[5:7]}.")
    last = calendar.monthrange(year, month)[1]
    if not 1 <= day <= last:
        raise ValueError(
            f"A day of {MONTHS[month - 1]} {year} lies from 01 to {last}, not {text[8:]}."
        )
    return english(datetime.date(year, month, day))


@checked()
def dates(seed: int = 0, held_out: int | None = None) -> Pairs:
    """Return every day of the years 1000–2999, a random sample of which is held out.

    Args:
        seed: seed of the sample.
        held_out: the number of days held out; by default 1,000.

    Raises:
        ValueError: held_out leaves no day to test or no day to train on.
    """
    apart = held_out_count(_DAYS, held_out)
    days = generator(seed, "held-out days").choice(_DAYS, apart, replace=False)
    source = _Writer.of([f"0000-{m:02}-{d:02}" for m, d in _MONTH_DAYS], SOURCE_LENGTH)
    target = _Writer.of([f"{MONTHS[m - 1]} {d}, 0000" for m, d in _MONTH_DAYS], TARGET_LENGTH)
    year, month_day = _year_and_month_day(days)
    return DatePairs(
        name="dates",
        source_tokenizer=DATES,
        target_tokenizer=DATES,
        train_count=_DAYS - apart,
        held_out_source=source.write(year, month_day),
        held_out_target=target.write(year, month_day),
        # For each day held out, in order, the number of training days before it.
        before=np.sort(days) - np.arange(apart),
        source=source,
        target=target,
    )


@dataclass(frozen=True, eq=False)
class DatePairs(Pairs):
    """Pairs of dates that are encoded on demand; training days are numbered in order.

    Attributes:
        before: (K,), for each day held out, in order, the number of training days before it.
        source: writes the source's ids.
        target: writes the target's ids.
    """

    before: np.ndarray
    source: _Writer
    target: _Writer

    def rows(self, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        days = numbers + np.searchsorted(self.before, numbers, side="right")
        year, month_day = _year_and_month_day(days)
        return self.source.write(year, month_day), self.target.write(year, month_day)


# Every month has 31 rows in the tables, some of which, such as February 31, are not used.
_MONTH_DAYS = [(month, day) for month in range(1, 13) for day in range(1, 32)]
_PLACE_VALUES = np.array([1000, 100, 10, 1])


def _year_and_month_day(days: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the years of days since January 1, 1000, and their indices in ``_MONTH_DAYS``."""
    day = np.datetime64(_FIRST_DAY) + days
    month = day.astype("M8[M]")
    months = month.astype(np.intp) + 12 * 1970  # NumPy counts from January 1970
    return months // 12, months % 12 * 31 + (day - month).astype(np.intp)


@dataclass(frozen=True, eq=False)
class _Writer:
    """Encodes dates of one form, by a table of months and days into which years are written.

    Attributes:
        table: (372, n), the ids of each month and day, with the year 0000.
        columns: (372, 4), the positions of the digits of the year.
    """

    table: np.ndarray
    columns: np.ndarray

    @classmethod
    def of(cls, texts: Sequence[str], length: int) -> _Writer:
        """Return a writer for the texts of all months and days, with the year 0000."""
        return cls(
            np.array([DATES.encode(text, length) for text in texts], dtype=np.intp),
            np.array([text.index("0000") + 1 + np.arange(4) for text in texts]),
        )

    def write(self, year: np.ndarray, month_day: np.ndarray) -> np.ndarray:
        """Return the ids (B, n) of dates, given years (B,) and indices in ``_MONTH_DAYS`` (B,)."""
        ids: np.ndarray = self.table[month_day]
        digits = year[:, np.newaxis] // _PLACE_VALUES % 10  # the id of a digit is its value
        np.put_along_axis(ids, self.columns[month_day], digits, axis=1)
        return ids
