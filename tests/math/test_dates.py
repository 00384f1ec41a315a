import datetime
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from transformer_math.data.dates import dates, english, iso, translate
from transformer_math.data.tokenizer import DATES

FIRST, LAST = datetime.date(1000, 1, 1), datetime.date(2999, 12, 31)
DAYS = 5 * 146_097  # the Gregorian calendar repeats itself every 400 years, five times here
PAIRS = dates()


def texts(rows: np.ndarray) -> list[str]:
    """Return the text of each row; a row ends with its first <eos>, followed only by padding."""
    found = []
    for row in rows.tolist():
        end = row.index(DATES.end)
        assert row[0] == DATES.start
        assert set(row[end + 1 :]) <= {DATES.pad}
        assert max(row[1:end]) < DATES.start
        found.append(DATES.decode(row))
    return found


@given(st.dates(FIRST, LAST))
def test_every_day_is_translated(day: datetime.date) -> None:
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
def test_an_invalid_date_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        translate(text)


def test_every_day_exists_once() -> None:
    """Training days are in the order of the calendar, with the held-out days left out."""
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
    assert PAIRS.name == "dates"


def test_held_out_days_have_the_same_format() -> None:
    assert PAIRS.held_out_source.shape == (1000, 12)
    assert PAIRS.held_out_target.shape == (1000, 20)
    sources = texts(PAIRS.held_out_source)
    assert [translate(text) for text in sources] == texts(PAIRS.held_out_target)
    assert sources != sorted(sources), "the first hundred are to be a sample of all years"


def test_held_out_days_are_in_no_batch() -> None:
    """Half of all days are held out, so that a leak would show in any batch."""
    pairs = dates(seed=5, held_out=DAYS // 2)
    held_out = {row.tobytes() for row in pairs.held_out_source}
    assert len(held_out) == DAYS // 2
    for step in range(4):
        source, _ = pairs.batch(step, 1000, seed=0)
        assert held_out.isdisjoint(row.tobytes() for row in source)


def test_batches_are_uniform() -> None:
    """Years and months are as frequent as in the calendar, within five deviations."""
    source, _ = PAIRS.batch(0, 100_000, seed=1)
    for column, digit, share in ((1, 1, 1 / 2), (4, 7, 1 / 10), (6, 1, 92 / 365.2425)):
        found = np.count_nonzero(source[:, column] == digit)
        assert abs(found - 100_000 * share) < 5 * np.sqrt(100_000 * share * (1 - share))


def test_batches_depend_only_on_seed_and_step_and_size() -> None:
    again = dates()
    again.batch(0, 128, 0)
    for one, other in zip(again.batch(7, 16, 2), PAIRS.batch(7, 16, 2), strict=True):
        np.testing.assert_array_equal(one, other)
    source = PAIRS.batch(7, 16, 2)[0]
    for others in ((8, 16, 2), (7, 16, 3)):
        assert not np.array_equal(source, PAIRS.batch(*others)[0])


def test_changing_a_returned_batch_changes_no_later_batch() -> None:
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
