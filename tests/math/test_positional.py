"""Positions in closed form: which wave stands where, and how long it is."""

import math

import numpy as np
import pytest

from transformer_math import positional


def test_even_sine_odd_cosine_of_the_same_angle() -> None:
    table = positional.sinusoidal(5, 6)
    for position in range(5):
        for pair in range(3):
            angle = position / 10000 ** (2 * pair / 6)
            assert table[position, 2 * pair] == pytest.approx(math.sin(angle), abs=1e-15)
            assert table[position, 2 * pair + 1] == pytest.approx(math.cos(angle), abs=1e-15)


def test_odd_width_keeps_the_last_sine() -> None:
    table = positional.sinusoidal(4, 5)
    assert table.shape == (4, 5)
    assert table[3, 4] == pytest.approx(math.sin(3 / 10000 ** (4 / 5)), abs=1e-15)


@pytest.mark.parametrize("d", [6, 7])
def test_halves_are_the_same_waves_sorted(d: int) -> None:
    """Marian's layout: every sine, then every cosine."""
    pairs = positional.sinusoidal(7, d)
    expected = np.concatenate([pairs[:, 0::2], pairs[:, 1::2]], axis=1)
    np.testing.assert_array_equal(positional.sinusoidal_halves(7, d), expected)


@pytest.mark.parametrize("d", [6, 7])
@pytest.mark.parametrize("halves", [False, True])
def test_each_column_knows_its_wave(d: int, halves: bool) -> None:
    table = (positional.sinusoidal_halves if halves else positional.sinusoidal)(3, d)
    for dimension in range(d):
        wave, pair = positional.wave_of(dimension, d, halves)
        assert table[2, dimension] == pytest.approx(wave(2 / 10000 ** (2 * pair / d)), abs=1e-15)
