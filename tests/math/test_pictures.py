"""Clocks, layer norm step by step, and softmax with a temperature, computed independently."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from transformer_math.explain import clocks
from transformer_math.explain.normalizing import cell_for_centered, cell_for_standard, normalizing
from transformer_math.explain.temperature import spread
from transformer_math.ops import LayerNorm

WIDTHS = [1, 2, 3, 4, 7, 8, 16]
NUMBERS = st.floats(-20, 20)
ROWS = st.lists(NUMBERS, min_size=2, max_size=9)


encoding = clocks.table


# -- clocks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("halves", [False, True])
@pytest.mark.parametrize("d", [2, 3, 8, 9])
@pytest.mark.parametrize("k", [-7, 0, 1, 13])
def test_a_shift_turns_each_hand_by_the_same_angle_from_any_start(d, halves, k):
    table = encoding(60, d, halves)
    found = clocks.shift(table, k, halves)
    assert found.starts == 60 - abs(k)
    assert found.error < 1e-12
    np.testing.assert_allclose(
        found.angles, [k / 10000 ** (2 * i / d) for i in range((d + 1) // 2)]
    )
    wrong = table.copy()
    wrong[30, 0] += 0.1
    if k:
        assert clocks.shift(wrong, k, halves).error > 0.01


def test_a_wide_table_is_checked_from_fewer_starts(monkeypatch):
    monkeypatch.setattr(clocks, "MAX_FOR_A_SHIFT", 80)
    found = clocks.shift(encoding(60, 8, False), 3, False)
    assert 10 <= found.starts <= 12
    assert found.error < 1e-12


@pytest.mark.parametrize("halves", [False, True])
@pytest.mark.parametrize("d", WIDTHS)
def test_the_kernel_equals_the_product_of_rows(d, halves):
    table = encoding(50, d, halves)
    np.testing.assert_allclose(clocks.kernel(17, np.arange(50), d), table @ table[17], atol=1e-12)


@settings(deadline=None)
@given(st.sampled_from(WIDTHS), st.integers(1, 160), st.booleans())
def test_the_nearest_positions_are_the_nearest_of_all_pairs(d, last, halves):
    found = clocks.nearest.__wrapped__(last, d, halves, "float64")
    table = encoding(last + 1, d, halves)
    distances = np.linalg.norm(table[:, None] - table[None], axis=-1)
    np.fill_diagonal(distances, np.inf)
    assert found.distance == pytest.approx(distances.min(), abs=1e-7)
    assert distances[found.first, found.second] == pytest.approx(distances.min(), abs=1e-7)
    assert found.first < found.second <= last
    assert found.neighbors == pytest.approx(np.diagonal(distances, 1).min())
    assert found.same == 0


def test_rows_that_are_equal_after_rounding_are_counted():
    coarse = clocks.nearest(10_000, 2, False, "float16")
    stored = encoding(10_001, 2, False).astype("float16")
    assert coarse.same == 10_001 - len({row.tobytes() for row in stored + 0})
    assert coarse.same > 0
    fine = clocks.nearest(10_000, 2, False, "float32")
    assert (fine.first, fine.second, fine.same) == (0, 710, 0)  # 710 radians are nearly 113 turns
    assert fine.distance == pytest.approx(2 * abs(math.sin(355)), rel=1e-9)
    assert 0 < fine.rounding < 2**-24


# -- layer norm -----------------------------------------------------------------------------------


@given(ROWS, st.floats(1e-6, 0.1), st.booleans(), st.randoms())
def test_the_last_step_equals_layer_norm(row, epsilon, is_sample, random):
    x = np.array(row)
    gamma, beta = (np.array([random.uniform(-2, 2) for _ in row]) for _ in range(2))
    norm = LayerNorm(epsilon, is_sample=is_sample)
    found = normalizing(x, gamma, beta, norm)
    np.testing.assert_allclose(found.result, norm.forward(x, gamma, beta), atol=1e-9)
    _, centered, standard, scaled, result = found.steps
    assert centered.mean() == pytest.approx(0, abs=1e-9)
    spread_ = float(x.std())
    divisor = float(x.std(ddof=1)) + epsilon if is_sample else math.sqrt(spread_**2 + epsilon)
    assert standard.std() == pytest.approx(spread_ / divisor, abs=1e-9)
    np.testing.assert_allclose(scaled, standard * gamma)
    np.testing.assert_allclose(result, scaled + beta)


@given(ROWS, st.integers(0, 8), st.floats(-3, 3), st.sampled_from([1e-6, 1e-3]), st.booleans())
def test_the_cell_that_gives_a_requested_result_is_found(row, cell, wanted, epsilon, is_sample):
    assume(cell < len(row))
    norm = LayerNorm(epsilon, is_sample=is_sample)
    x, one, zero = np.array(row), np.ones(len(row)), np.zeros(len(row))
    x[cell] = cell_for_centered(row, cell, wanted)
    assert normalizing(x, one, zero, norm).centered[cell] == pytest.approx(wanted, abs=1e-9)
    x[cell] = cell_for_standard(np.array(row), cell, wanted, norm)
    d = len(row)
    limit = 0.99 * ((d - 1) / math.sqrt(d) if is_sample else math.sqrt(d - 1))
    within = min(max(wanted, -limit), limit)
    found = normalizing(x, one, zero, norm).standard[cell]
    assert found == pytest.approx(within, abs=1e-6)


# -- temperature ----------------------------------------------------------------------------------


@given(ROWS, st.floats(0.05, 50))
def test_a_temperature_divides_the_logits(row, temperature):
    found = spread(np.array(row), temperature)
    weights = [math.exp((x - max(row)) / temperature) for x in row]
    p = [w / math.fsum(weights) for w in weights]
    np.testing.assert_allclose(found.probabilities, p, atol=1e-12)
    entropy = -math.fsum(x * math.log2(x) for x in p if x)
    assert found.entropy == pytest.approx(entropy, abs=1e-9)
    assert found.choices == pytest.approx(2**entropy, abs=1e-8)


def test_temperature_0_gives_the_largest_and_infinity_an_even_distribution():
    row = np.array([1.0, 3.0, -np.inf, 2.0])
    cold, hot = spread(row, 0), spread(row, math.inf)
    assert cold.probabilities.tolist() == [0, 1, 0, 0]
    assert (cold.entropy, cold.choices) == (0, 1)
    np.testing.assert_allclose(hot.probabilities, [1 / 3, 1 / 3, 0, 1 / 3])
    assert hot.choices == pytest.approx(3)
    np.testing.assert_allclose(spread(row, 1e-3).probabilities, cold.probabilities, atol=1e-9)
    np.testing.assert_allclose(spread(row, 1e6).probabilities, hot.probabilities, atol=1e-5)
    assert spread(np.array([2.0, 2.0, 1.0]), 0).probabilities.tolist() == [0.5, 0.5, 0]
    assert spread(np.full(3, -np.inf), 1).choices == 0
