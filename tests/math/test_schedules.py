import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from transformer_math.training.schedules import Constant, LinearWarmupDecay, Noam, Schedule

COUNTS = st.integers(1, 10_000)


@given(st.integers(1, 2000), COUNTS, COUNTS, st.floats(1e-3, 1e3))
def test_noam_is_equation_3(d_model: int, warmup: int, step: int, factor: float) -> None:
    noam = Noam(d_model, warmup, factor)
    expected = factor / math.sqrt(d_model) * min(1 / math.sqrt(step), step / warmup**1.5)
    assert noam(step) == pytest.approx(expected, rel=1e-12)
    assert noam(step) <= noam.peak_learning_rate * (1 + 1e-12)


def test_the_schedule_linear_rises_and_falls_in_straight_lines() -> None:
    linear = LinearWarmupDecay(3e-3, 4, 10)
    expected = np.array([1 / 4, 2 / 4, 3 / 4, 1, 5 / 6, 4 / 6, 3 / 6, 2 / 6, 1 / 6, 0, 0, 0]) * 3e-3
    np.testing.assert_allclose(linear.learning_rates(12), expected, rtol=1e-14)


SCHEDULES: list[Schedule] = [
    Noam(32),
    Noam(7, 3, 0.5),
    LinearWarmupDecay(1e-3, 100, 600),
    LinearWarmupDecay(2e-3, 0, 5),
    Constant(1e-3),
    Constant(5, 10),
]


@pytest.mark.parametrize("schedule", SCHEDULES, ids=str)
def test_the_plotted_rates_equal_those_of_the_steps(schedule: Schedule) -> None:
    rates = schedule.learning_rates(700)
    assert rates.shape == (700,)
    one_by_one = [schedule(step) for step in range(1, 701)]
    np.testing.assert_allclose(rates, one_by_one, rtol=1e-14)
    assert all(type(schedule(step)) is float for step in (1, 50))
    assert schedule.learning_rates(0).shape == (0,)


@pytest.mark.parametrize("schedule", SCHEDULES, ids=str)
def test_steps_count_from_1(schedule: Schedule) -> None:
    assert schedule(1) > 0
    with pytest.raises(ValueError, match="Steps count from 1, so there is no step 0"):
        schedule(0)
