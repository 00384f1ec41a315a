from hypothesis import given
from hypothesis import strategies as st

from tests import by_day


@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 10**6))
def test_in_a_round_of_days_every_item_has_every_partner(items: int, partners: int, day: int):
    days = [by_day.pairs(range(items), range(partners), day + k) for k in range(items)]
    found = {(item, partner) for each in days for partner, item in enumerate(each)}
    assert len(found) == items * partners
    if partners >= items:
        assert all(set(each) == set(range(items)) for each in days)


@given(st.integers(1, 40), st.integers(1, 12), st.integers(0, 10**6))
def test_consecutive_days_share_all_items(items: int, count: int, day: int):
    days = -(-items // count)
    found = [one for k in range(days) for one in by_day.share(range(items), count, day + k)]
    assert set(found) == set(range(items))


@given(st.integers(0, 40), st.integers(0, 10**6))
def test_on_consecutive_days_each_test_runs_once(items: int, day: int):
    found = [by_day.in_turn(range(items), day + k) for k in range(by_day.TURNS)]
    assert sorted(item for each in found for item in each) == list(range(items))
    assert max(map(len, found)) - min(map(len, found)) <= 1


@given(st.integers(0, 11), st.integers(1, 12), st.integers(1, 12), st.integers(0, 10**6))
def test_a_test_that_takes_turns_gets_every_pair(test: int, items: int, partners: int, begin: int):
    days = range(begin, begin + by_day.TURNS * items)
    runs = [day // by_day.TURNS for day in days if test in by_day.in_turn(range(12), day)]
    assert len(runs) == items
    pairs = [by_day.pairs(range(items), range(partners), turn) for turn in runs]
    found = {(item, partner) for each in pairs for partner, item in enumerate(each)}
    assert len(found) == items * partners
