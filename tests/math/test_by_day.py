"""Combinations that are spread over days are all tested in a round, and none is left out."""

from hypothesis import given
from hypothesis import strategies as st

from tests import by_day


@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 10**6))
def test_a_round_of_days_pairs_every_item_with_every_partner(items: int, partners: int, day: int):
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
def test_two_consecutive_days_take_all_items_once(items: int, day: int):
    halves = [by_day.half(range(items), day + k) for k in range(2)]
    assert sorted(halves[0] + halves[1]) == list(range(items))
    assert abs(len(halves[0]) - len(halves[1])) <= 1
