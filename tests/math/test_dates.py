"""Dates: every day of 2,000 years, written from a table; held-out days are never trained on."""

import datetime
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.math.stored import load_json
from transformer_math.data.dates import (
    EXAMPLES,
    FIRST_YEAR,
    LAST_YEAR,
    SOURCE_LENGTH,
    TARGET_LENGTH,
    dates,
    english,
    iso,
    translate,
)
from transformer_math.data.pairs import Pairs
from transformer_math.data.tokenizer import DATES

DOCUMENT = load_json("document_001")
FIRST, LAST = datetime.date(1000, 1, 1), datetime.date(2999, 12, 31)
DAYS = 5 * 146_097  # five times the 400 years after which the Gregorian calendar repeats itself
PAIRS = dates()


def texts(rows: np.ndarray) -> list[str]:
    """What each row says; a row ends in its first <eos> and pads alone."""
    found = []
    for row in rows.tolist():
        end = row.index(DATES.end)
        assert row[0] == DATES.start
        assert set(row[end + 1 :]) <= {DATES.pad}
        assert max(row[1:end]) < DATES.start
        found.append(DATES.decode(row))
    return found


def test_examples_of_the_document() -> None:
    assert [list(pair) for pair in EXAMPLES] == DOCUMENT["pairs"]
    for source, target in EXAMPLES:
        day = datetime.date.fromisoformat(source)
        assert (iso(day), english(day), translate(source)) == (source, target, target)


def test_ranges() -> None:
    assert (SOURCE_LENGTH, TARGET_LENGTH) == (12, 20)
    assert (FIRST_YEAR, LAST_YEAR) == (1000, 2999)
    assert translate("1000-01-01") == "January 1, 1000"
    assert translate("2999-12-31") == "December 31, 2999"
    assert translate("1900-02-28") == "February 28, 1900"
    assert translate("2000-02-29") == "February 29, 2000"


@given(st.dates(FIRST, LAST))
def test_translate_every_day(day: datetime.date) -> None:
    answer = translate(iso(day))
    assert answer == english(day)
    assert datetime.datetime.strptime(answer, "%B %d, %Y").date() == day


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("0999-12-31", "The year lies from 1000 to 2999, not 0999."),
        ("3000-01-01", "The year lies from 1000 to 2999, not 3000."),
        ("1676-00-10", "The month lies from 01 to 12, not 00."),
        ("1676-13-10", "The month lies from 01 to 12, not 13."),
        ("1676-11-31", "A day of November 1676 lies from 01 to 30, not 31."),
        ("1676-11-00", "A day of November 1676 lies from 01 to 30, not 00."),
        ("1900-02-29", "A day of February 1900 lies from 01 to 28, not 29."),
        *(
            (text, "A date is four digits, two and two with - between, as in 1676-11-30.")
            for text in ("", "1676-1-30", "16761130", "1676-11-30\n", "١٦٧٦-11-30", "1676-11-300")
        ),
    ],
)
def test_no_such_date(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        translate(text)


def test_every_day_is_there_once() -> None:
    """Training days in the order of the calendar, and those held out between them."""
    source, target = PAIRS.rows(np.arange(PAIRS.train_count))
    assert source.shape == (DAYS - 1000, 12)
    assert target.shape == (DAYS - 1000, 20)
    written = source[:, [1, 2, 3, 4, 6, 7, 9, 10]] @ 10 ** np.arange(7, -1, -1)  # 16761130
    assert np.all(np.diff(written) > 0)
    days = map(datetime.date.fromordinal, range(FIRST.toordinal(), LAST.toordinal() + 1))
    every = {day.year * 10_000 + day.month * 100 + day.day for day in days}
    held_out = {int(text.replace("-", "")) for text in texts(PAIRS.held_out_source)}
    assert (len(every), len(held_out)) == (DAYS, 1000)
    assert every - held_out == set(written.tolist())


def rows_of(pairs: Pairs, days: list[datetime.date]) -> tuple[np.ndarray, np.ndarray]:
    """The training rows of these days, found by bisection of their order."""
    wanted = [DATES.encode(iso(day)) for day in days]
    numbers = []
    for ids in wanted:
        low, high = 0, pairs.train_count
        while low < high:
            middle = (low + high) // 2
            if pairs.rows(np.array([middle]))[0][0].tolist() < ids:
                low = middle + 1
            else:
                high = middle
        numbers.append(low)
    return pairs.rows(np.array(numbers))


def test_rows_of_leap_days_and_ends_of_months() -> None:
    """Among all training rows these days read as iso and english write them."""
    pairs = dates(held_out=1)
    days = [datetime.date(year, 2, 29) for year in (1200, 1600, 1676, 2000, 2400, 2996)]
    days += [datetime.date(year, 2, 28) for year in (1100, 1900, 2100)]
    days += [datetime.date(year, month, 1) for year in (1000, 1582, 1970) for month in range(1, 13)]
    days += [day - datetime.timedelta(1) for day in days[-35:]]  # all but the day before 1000
    held_out = texts(pairs.held_out_source)
    days = [day for day in days if iso(day) not in held_out]
    source, target = rows_of(pairs, days)
    assert source.tolist() == [DATES.encode(iso(day), 12) for day in days]
    assert target.tolist() == [DATES.encode(english(day), 20) for day in days]


def test_batches_read_as_iso_and_english_write_them() -> None:
    leap_days = 0
    for step in range(8):
        source, target = PAIRS.batch(step, 512, seed=3)
        assert (source.shape, target.shape) == ((512, 12), (512, 20))
        assert source.dtype == target.dtype == np.intp
        days = [datetime.date.fromisoformat(text) for text in texts(source)]
        assert source.tolist() == [DATES.encode(iso(day), 12) for day in days]
        assert target.tolist() == [DATES.encode(english(day), 20) for day in days]
        leap_days += sum((day.month, day.day) == (2, 29) for day in days)
    assert leap_days


def test_held_out_days_read_alike() -> None:
    assert PAIRS.held_out_source.shape == (1000, 12)
    assert PAIRS.held_out_target.shape == (1000, 20)
    sources = texts(PAIRS.held_out_source)
    assert [translate(text) for text in sources] == texts(PAIRS.held_out_target)
    assert sources != sorted(sources), "the first hundred are to be a sample of all years"


def test_held_out_days_are_in_no_batch() -> None:
    """With half of all days held out, a leak would show in any batch."""
    pairs = dates(seed=5, held_out=DAYS // 2)
    held_out = {row.tobytes() for row in pairs.held_out_source}
    assert len(held_out) == DAYS // 2
    for step in range(4):
        source, _ = pairs.batch(step, 1000, seed=0)
        assert held_out.isdisjoint(row.tobytes() for row in source)


def test_batches_are_uniform() -> None:
    """Years and months come as often as the calendar has them, within five deviations."""
    source, _ = PAIRS.batch(0, 100_000, seed=1)
    for column, digit, share in ((1, 1, 1 / 2), (4, 7, 1 / 10), (6, 1, 92 / 365.2425)):
        found = np.count_nonzero(source[:, column] == digit)
        assert abs(found - 100_000 * share) < 5 * np.sqrt(100_000 * share * (1 - share))


def test_batches_depend_on_seed_step_and_size_alone() -> None:
    again = dates()
    again.batch(0, 128, 0)
    for one, other in zip(again.batch(7, 16, 2), PAIRS.batch(7, 16, 2), strict=True):
        np.testing.assert_array_equal(one, other)
    source = PAIRS.batch(7, 16, 2)[0]
    for others in ((8, 16, 2), (7, 16, 3)):
        assert not np.array_equal(source, PAIRS.batch(*others)[0])


def test_a_batch_is_the_caller_s_own() -> None:
    source, target = PAIRS.batch(0, 4, 0)
    before = source.copy(), target.copy()
    source[:], target[:] = 0, 0
    np.testing.assert_array_equal(PAIRS.batch(0, 4, 0)[0], before[0])
    np.testing.assert_array_equal(PAIRS.batch(0, 4, 0)[1], before[1])
    with pytest.raises(ValueError, match="read-only"):
        PAIRS.held_out_source[0, 0] = 1


def test_the_seed_draws_the_held_out_days() -> None:
    np.testing.assert_array_equal(dates(1).held_out_source, dates(1).held_out_source)
    ours, others = (set(texts(dates(seed).held_out_source)) for seed in (0, 1))
    assert len(ours & others) < 20


def test_what_is_said_of_them() -> None:
    assert PAIRS.name == "dates"
    assert PAIRS.source_tokenizer is PAIRS.target_tokenizer is DATES
    assert (PAIRS.source_length, PAIRS.target_length) == (12, 20)
    assert PAIRS.train_count == DAYS - 1000


@pytest.mark.parametrize("held_out", [0, -1, DAYS])
def test_how_many_can_be_held_out(held_out: int) -> None:
    with pytest.raises(ValueError, match=r"^held_out is a whole number from 1 to 730,484, not "):
        dates(held_out=held_out)


def test_no_batch_of_nothing() -> None:
    with pytest.raises(ValueError, match=r"^A batch has at least one pair, not 0\.$"):
        PAIRS.batch(0, 0, 0)
