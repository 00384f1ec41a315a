from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.math.lively import lively
from tests.math.tiny import SOURCE, tiny
from transformer_math import Decoding, Sampling, greedy_decode, sample
from transformer_math.decoding import filtered
from transformer_math.ops import softmax

ASK = Decoding(start=2, end=12, max_length=6)
LOGITS = np.log([0.15, 0.5, 0.1, 0.25])


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, [0.15, 0.5, 0.1, 0.25]),
        ({"temperature": 0}, [0, 1, 0, 0]),
        ({"temperature": 0.5}, np.array([0.0225, 0.25, 0.01, 0.0625]) / 0.345),
        ({"temperature": 1e-310}, [0, 1, 0, 0]),
        ({"temperature": 1e300}, [0.25, 0.25, 0.25, 0.25]),
        ({"top_k": 1}, [0, 1, 0, 0]),
        ({"top_k": 2}, [0, 2 / 3, 0, 1 / 3]),
        ({"top_k": 9}, [0.15, 0.5, 0.1, 0.25]),
        ({"top_k": 0}, [0.15, 0.5, 0.1, 0.25]),
        ({"top_p": 0.3}, [0, 1, 0, 0]),
        ({"top_p": 0.5}, [0, 1, 0, 0]),
        ({"top_p": 0.51}, [0, 2 / 3, 0, 1 / 3]),
        ({"top_p": 0.75}, [0, 2 / 3, 0, 1 / 3]),
        ({"top_p": 0.76}, np.array([0.15, 0.5, 0, 0.25]) / 0.9),
        ({"top_p": 1.0}, [0.15, 0.5, 0.1, 0.25]),
        # The nucleus is computed after top-k: 0.5 / 0.75 is below 0.7, and 0.5 / 0.9 is below 0.6.
        ({"top_k": 2, "top_p": 0.66}, [0, 1, 0, 0]),
        ({"top_k": 2, "top_p": 0.7}, [0, 2 / 3, 0, 1 / 3]),
        ({"top_k": 3, "top_p": 0.55}, [0, 1, 0, 0]),
        # Top-p is computed after the temperature: 0.25 / 0.345 = 0.72.
        ({"temperature": 0.5, "top_p": 0.72}, [0, 1, 0, 0]),
    ],
)
def test_filtering_has_this_closed_form(settings: dict[str, Any], expected: Any) -> None:
    for shift in (0, 1000):
        found = filtered(LOGITS + shift, Sampling(**settings))
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_equal_tokens_and_rounded_sums_are_filtered_reproducibly() -> None:
    ten = np.zeros(10)
    assert np.flatnonzero(filtered(ten, Sampling(0))).tolist() == [0]
    many = np.tile([0.0, 1.0], 500)
    assert np.flatnonzero(filtered(many, Sampling(top_k=3))).tolist() == [1, 3, 5]
    assert 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 < 0.8
    assert np.flatnonzero(filtered(ten, Sampling(top_p=0.8))).tolist() == list(range(8))


@pytest.mark.parametrize("length", range(1, 71))
def test_equal_logits_keep_the_lower_ids(length: int) -> None:
    """The exponentials of equal logits differ in the last bit by their index in the vector."""
    random = np.random.default_rng(length)
    for temperature in (1.0, 0.7, 3.0):
        equal = np.full(length, random.normal())
        mixed = random.choice(random.normal(size=3), length)
        for logits in (equal, mixed):
            ranking = sorted(range(length), key=lambda n: (-logits[n], n))
            for top_k in range(1, length + 1):
                kept = np.flatnonzero(filtered(logits, Sampling(temperature, top_k)))
                assert kept.tolist() == sorted(ranking[:top_k])


def test_a_token_of_probability_0_keeps_it() -> None:
    logits = np.array([0.0, -np.inf, 1.0])
    for temperature in (0, 1e-310, 0.5, 1e300):
        found = filtered(logits, Sampling(temperature, top_k=3, top_p=0.999999))
        assert found[1] == 0
        assert found.sum() == pytest.approx(1)


@settings(max_examples=60)
@given(
    st.lists(st.floats(-9, 9), min_size=1, max_size=8),
    st.floats(0.1, 5),
    st.none() | st.integers(1, 9),
    st.none() | st.floats(0.01, 1),
)
def test_top_p_keeps_the_smallest_set_that_reaches_p(
    logits: list[float], temperature: float, top_k: int | None, top_p: float | None
) -> None:
    before = softmax(np.array(logits) / temperature)
    after = filtered(logits, Sampling(temperature, top_k, top_p))
    kept = after > 0
    assert after.sum() == pytest.approx(1)
    np.testing.assert_allclose(after[kept], before[kept] / before[kept].sum(), atol=1e-12)
    assert before[kept].min() >= before[~kept].max(initial=0) - 1e-15
    k = len(logits) if top_k is None else min(top_k, len(logits))
    assert kept.sum() <= k
    if top_p is None:
        assert kept.sum() == k
    else:
        pool = np.sort(before)[::-1][:k].sum()
        assert before[kept].sum() / pool >= top_p - 1e-9
        assert (before[kept].sum() - before[kept].min()) / pool < top_p + 1e-9


def test_each_row_is_filtered_separately() -> None:
    logits = np.random.default_rng(4).normal(size=(2, 3, 7))
    some = Sampling(0.7, 4, 0.6)
    found = filtered(logits, some)
    for index in np.ndindex(2, 3):
        alone = filtered(logits[index], some)
        np.testing.assert_array_equal(found[index] > 0, alone > 0)
        np.testing.assert_allclose(found[index], alone, rtol=1e-14)  # sums round differently
    assert filtered(logits, Sampling(0)).sum() == 6
    assert filtered(logits.astype(np.float32), Sampling()).dtype == np.float64


def test_tokens_are_drawn_with_the_frequency_of_the_distribution() -> None:
    model = tiny()
    one = Decoding(2, 12, 1)
    draws = [sample(model, SOURCE, one, Sampling(1.7, 9), seed=seed) for seed in range(1500)]
    expected = draws[0].after[0]
    assert (expected > 0).sum() == 9
    counts = np.bincount([int(draw.ids[0]) for draw in draws], minlength=17)
    assert not counts[expected == 0].any()
    likely = expected * 1500 > 5
    assert likely.sum() > 3
    squares = (counts - 1500 * expected)[likely] ** 2 / (1500 * expected[likely])
    assert squares.sum() < 26.1  # χ² of 8 degrees of freedom exceeds it once in a thousand


def test_each_step_has_its_distribution_before_and_after_filtering() -> None:
    model = lively()
    some = Sampling(1.5, 4, 0.9)
    found = sample(model, SOURCE, ASK, some, seed=3)
    assert len(found.ids) > 1
    total = 0.0
    for step, token in enumerate(found.ids):
        logits = model.logits(SOURCE, [2, *found.ids[:step]])[-1]
        np.testing.assert_allclose(found.before[step], softmax(logits), atol=1e-12)
        expected = filtered(logits, some)
        np.testing.assert_allclose(found.after[step], expected, atol=1e-12)
        total += np.log(found.before[step, token])
    assert found.log_probability == pytest.approx(total, abs=1e-11)


def test_a_seed_draws_the_same_tokens_again_and_other_seeds_draw_others() -> None:
    model = lively()
    texts = [sample(model, SOURCE, ASK, Sampling(3.0), seed=s).ids.tolist() for s in range(5)]
    again = [sample(model, SOURCE, ASK, Sampling(3.0), seed=s).ids.tolist() for s in range(5)]
    assert texts == again
    assert len(set(map(tuple, texts))) == 5


def test_a_temperature_of_zero_is_greedy() -> None:
    model = lively()
    for source in np.random.default_rng(8).integers(0, 13, (8, 5)):
        found = sample(model, source, ASK, Sampling(0), seed=9)
        greedy = greedy_decode(model, source, ASK)
        assert found.ids.tolist() == greedy.ids[0].tolist()
        assert found.log_probability == greedy.log_probability[0]
        assert found.finished == greedy.finished[0]
        np.testing.assert_array_equal(found.before, greedy.probabilities[0])


def test_sampling_stops_at_the_end_token() -> None:
    model = lively()
    lengths = set()
    for seed in range(30):
        found = sample(model, SOURCE, ASK, Sampling(2.0), seed=seed)
        ids = found.ids.tolist()
        assert 12 not in ids[:-1]
        assert found.finished == (ids[-1] == 12)
        assert found.finished or len(ids) == 6
        assert len(ids) == len(found.before) == len(found.after)
        lengths.add(len(ids))
    assert len(lengths) > 2


def test_logits_that_are_not_finite_are_refused() -> None:
    for bad in (np.nan, np.inf):
        with pytest.raises(ValueError, match="logits are not finite"):
            filtered([0.0, bad], Sampling())
