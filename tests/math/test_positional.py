"""Positions in closed form: the wave of each column, and its length."""

import math

import numpy as np
import pytest

from transformer_math import positional


def test_even_columns_have_the_sine_and_odd_the_cosine_of_the_same_angle() -> None:
    table = positional.sinusoidal(5, 6)
    for position in range(5):
        for pair in range(3):
            angle = position / 10000 ** (2 * pair / 6)
            assert table[position, 2 * pair] == pytest.approx(math.sin(angle), abs=1e-15)
            assert table[position, 2 * pair + 1] == pytest.approx(math.cos(angle), abs=1e-15)


def test_with_odd_width_the_last_column_is_a_sine() -> None:
    table = positional.sinusoidal(4, 5)
    assert table.shape == (4, 5)
    assert table[3, 4] == pytest.approx(math.sin(3 / 10000 ** (4 / 5)), abs=1e-15)


@pytest.mark.parametrize("d", [6, 7])
def test_the_layout_of_halves_has_the_same_waves_in_another_order(d: int) -> None:
    """Marian's layout: all sines, then all cosines."""
    pairs = positional.sinusoidal(7, d)
    expected = np.concatenate([pairs[:, 0::2], pairs[:, 1::2]], axis=1)
    np.testing.assert_array_equal(positional.sinusoidal_halves(7, d), expected)


@pytest.mark.parametrize("d", [6, 7])
@pytest.mark.parametrize("halves", [False, True])
def test_the_wave_of_each_column_is_known(d: int, halves: bool) -> None:
    table = (positional.sinusoidal_halves if halves else positional.sinusoidal)(3, d)
    for dimension in range(d):
        wave, pair = positional.wave_of(dimension, d, halves)
        assert table[2, dimension] == pytest.approx(wave(2 / 10000 ** (2 * pair / d)), abs=1e-15)
