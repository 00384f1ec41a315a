import dataclasses
import json
import math
from typing import Any

import numpy as np
import pytest

from transformer_math import Recipe

NAN, INF = math.nan, math.inf


LIMITS: dict[str, tuple[str, list[Any]]] = {
    "steps": ("whole number from 1 to 1,000,000", [0, 1.5, True, 10**7]),
    "batch": ("whole number from 1 to 4,096", [0, -1, "8", 5000]),
    "warmup": ("whole number from 0 to 1,000,000", [-1, None, 2.0]),
    "seed": ("whole number from 0 to 2,147,483,647", [-1, 2**31, 0.0]),
    "peak_learning_rate": ("above 0 and at most 100", [0, -1e-3, 101, NAN, INF, "x"]),
    "clip": (r"above 0 and at most 1e\+09", [0, -1, NAN, INF, True]),
    "smoothing": ("from 0 to 0.99", [-0.1, 1, NAN, None, []]),
    "beta_1": ("from 0 to 0.9999", [-0.1, 1, NAN, "0.9"]),
    "beta_2": ("from 0 to 0.999999", [-0.1, 1, NAN, False]),
    "epsilon": ("from 1e-30 to 1", [0, -1e-9, NAN, INF, None]),
    "schedule": ("one of linear, noam, constant, paper", ["cosine", None, 3]),
    "smoothing_form": ("one of paper, torch", ["mine", None]),
}
TOO_LONG: list[tuple[str, str, Any]] = [
    ("warmup", r"warmup \(600\) has to end before the last of the 600 steps", 600),
    ("steps", r"write Recipe\(steps=1, warmup=0, …\)", 1),
    ("steps", r"\(100\) has .* 100 steps: write Recipe\(steps=100, warmup=10, …\)", 100),
]


@pytest.mark.parametrize(
    ("name", "limit", "bad"),
    [*((name, limit, bad) for name, (limit, all_) in LIMITS.items() for bad in all_), *TOO_LONG],
)
def test_a_setting_out_of_range_is_refused_by_name(name: str, limit: str, bad: Any) -> None:
    """The error is one sentence with the setting and its limit."""
    with pytest.raises(ValueError, match=limit) as raised:
        Recipe(**{name: bad})
    message = str(raised.value)
    assert name in message
    assert message.endswith(".")
    assert "\n" not in message


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {
            "steps": 1,
            "warmup": 0,
            "batch": 1,
            "peak_learning_rate": 100,
            "smoothing": 0,
            "seed": 2**31 - 1,
        },
        {"schedule": "noam", "warmup": 4000},
        {"schedule": "paper", "warmup": 4000},
        {"schedule": "constant", "warmup": 0, "clip": None, "smoothing_form": "torch"},
        {"beta_1": 0, "beta_2": 0.0, "epsilon": 1, "smoothing": 0.99},
    ],
)
def test_a_recipe_is_restored_from_plain_data(settings: dict[str, Any]) -> None:
    recipe = Recipe(**settings)
    again = Recipe(**json.loads(json.dumps(recipe.as_dict())))
    assert again == recipe
    assert hash(again) == hash(recipe)
    with pytest.raises(dataclasses.FrozenInstanceError):
        recipe.steps = 3


@pytest.mark.parametrize("schedule", ["linear", "noam", "constant"])
@pytest.mark.parametrize("warmup", [0, 1, 20])
def test_the_highest_rate_is_the_peak(schedule: str, warmup: int) -> None:
    """It is reached at the end of the warm-up, in a straight line."""
    recipe = Recipe(schedule=schedule, steps=50, warmup=warmup, peak_learning_rate=2e-3)
    rates = recipe.learning_rate_schedule(8).learning_rates(50)
    top = max(warmup, 1)
    assert (rates > 0).sum() == (49 if schedule == "linear" else 50)
    assert rates.max() == rates[top - 1]
    expected = 2e-3 * (49 / 50 if schedule == "linear" and not warmup else 1)
    assert rates.max() == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(rates[:top], rates[top - 1] * np.arange(1, top + 1) / top)
    assert (rates[top:] == rates[top - 1]).all() == (schedule == "constant")


@pytest.mark.parametrize("warmup", [0, 1, 20, 4000])
@pytest.mark.parametrize("peak", [1e-5, 3e-3, 100])
def test_the_schedule_paper_is_equation_3_whatever_the_peak(warmup: int, peak: float) -> None:
    """d_model^(−1/2) · min(step^(−1/2), step · warmup^(−3/2)), Section 5.3; from a warm-up of 1."""
    recipe = Recipe(schedule="paper", warmup=warmup, peak_learning_rate=peak)
    rates = recipe.learning_rate_schedule(512)
    for step in (1, 2, 19, 20, 21, 3999, 4000, 4001, 9000):
        expected = 512**-0.5 * min(step**-0.5, step * max(warmup, 1) ** -1.5)
        assert rates(step) == pytest.approx(expected, rel=1e-12)


def test_the_defaults_are_those_of_the_paper_and_the_date_translator() -> None:
    recipe = Recipe()
    assert (recipe.beta_1, recipe.beta_2, recipe.epsilon) == (0.9, 0.98, 1e-9)  # Section 5.3
    assert (recipe.smoothing, recipe.smoothing_form) == (0.1, "paper")  # Section 5.4
    assert (recipe.steps, recipe.batch, recipe.warmup, recipe.peak_learning_rate) == (
        600,
        128,
        100,
        3e-3,
    )
