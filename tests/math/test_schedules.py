"""Learning rates by step: the paper's, and the two plain ones."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from transformer_math.training.schedules import (
    Constant,
    LinearWarmupDecay,
    Noam,
    Schedule,
)

COUNTS = st.integers(1, 10_000)


def test_the_papers_rates() -> None:
    """Equation 3 for the base model: up to step 4,000, down after it."""
    noam = Noam(512)
    assert noam(1) == pytest.approx(512**-0.5 / 4000**1.5, rel=1e-14)
    assert noam(1) == pytest.approx(1.746928107421711e-07, rel=1e-12)
    assert noam(4000) == pytest.approx(512**-0.5 * 4000**-0.5, rel=1e-14)
    assert noam.peak_learning_rate == pytest.approx(6.987712429686843e-04, rel=1e-12)
    assert noam(16_000) == pytest.approx(noam.peak_learning_rate / 2, rel=1e-14)
    assert noam(2000) == pytest.approx(noam.peak_learning_rate / 2, rel=1e-14)


@given(st.integers(1, 2000), COUNTS, COUNTS, st.floats(1e-3, 1e3))
def test_noam_is_equation_3(d_model: int, warmup: int, step: int, factor: float) -> None:
    noam = Noam(d_model, warmup, factor)
    expected = factor / math.sqrt(d_model) * min(1 / math.sqrt(step), step / warmup**1.5)
    assert noam(step) == pytest.approx(expected, rel=1e-12)
    assert noam(step) <= noam.peak_learning_rate * (1 + 1e-12)


def test_linear_is_a_triangle() -> None:
    linear = LinearWarmupDecay(3e-3, 4, 10)
    expected = np.array([1 / 4, 2 / 4, 3 / 4, 1, 5 / 6, 4 / 6, 3 / 6, 2 / 6, 1 / 6, 0, 0, 0]) * 3e-3
    np.testing.assert_allclose(linear.learning_rates(12), expected, rtol=1e-14)


def test_linear_without_warmup_only_falls() -> None:
    np.testing.assert_allclose(
        LinearWarmupDecay(1.0, 0, 4).learning_rates(5), [0.75, 0.5, 0.25, 0, 0]
    )


def test_constant() -> None:
    np.testing.assert_array_equal(Constant(0.3).learning_rates(4), np.full(4, 0.3))
    np.testing.assert_allclose(Constant(0.4, 4).learning_rates(6), [0.1, 0.2, 0.3, 0.4, 0.4, 0.4])


SCHEDULES: list[Schedule] = [
    Noam(32),
    Noam(7, 3, 0.5),
    LinearWarmupDecay(1e-3, 100, 600),
    LinearWarmupDecay(2e-3, 0, 5),
    Constant(1e-3),
    Constant(5, 10),
]


@pytest.mark.parametrize("schedule", SCHEDULES, ids=str)
def test_the_plotted_rates_are_those_of_the_steps(schedule: Schedule) -> None:
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


@pytest.mark.parametrize(
    ("kind", "settings", "message"),
    [
        (Noam, {"d_model": 8, "warmup": 0}, "warmup is a whole number from 1, not 0"),
        (Noam, {"d_model": 8.5}, "d_model is a whole number from 1, not 8.5"),
        (Noam, {"d_model": 8, "factor": 0}, "factor is a number above 0, not 0"),
        (
            LinearWarmupDecay,
            {"peak_learning_rate": 0.1, "warmup": 5, "steps": 5},
            r"steps \(5\) goes beyond the 5",
        ),
        (
            LinearWarmupDecay,
            {"peak_learning_rate": math.nan, "warmup": 1, "steps": 5},
            "peak_learning_rate is a number above 0",
        ),
        (
            LinearWarmupDecay,
            {"peak_learning_rate": True, "warmup": 1, "steps": 5},
            "peak_learning_rate is a number above 0",
        ),
        (
            LinearWarmupDecay,
            {"peak_learning_rate": 0.1, "warmup": -1, "steps": 5},
            "warmup is a whole number from 0",
        ),
        (Constant, {"learning_rate": math.inf}, "learning_rate is a number above 0, not inf"),
        (Constant, {"learning_rate": "fast"}, "learning_rate is a number above 0, not 'fast'"),
        (
            Constant,
            {"learning_rate": 1, "warmup": True},
            "warmup is a whole number from 0, not True",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(
    kind: type[Schedule], settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        kind(**settings)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)
