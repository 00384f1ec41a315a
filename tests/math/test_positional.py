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


def test_lecture_slip_third_word_fourth_column() -> None:
    """The lecture writes PE(2,3) = cos(2) for width 4; index 3 belongs to pair 1: cos(2/100)."""
    value = positional.sinusoidal(3, 4)[2, 3]
    assert value == pytest.approx(math.cos(0.02), abs=1e-15)
    assert f"{value:.4f}" == "0.9998"
    assert abs(value - math.cos(2)) > 1


def test_positions_count_from_zero() -> None:
    """Position 0 is sin 0 and cos 0 throughout, so the first token's even columns are untouched."""
    np.testing.assert_array_equal(positional.sinusoidal(1, 6)[0], [0, 1, 0, 1, 0, 1])


def test_last_exponent_stays_below_one() -> None:
    """The longest wave's exponent is (D-2)/D, not 1."""
    d = 16
    angle = math.asin(positional.sinusoidal(2, d)[1, d - 2])
    assert angle == pytest.approx(10000 ** -((d - 2) / d), rel=1e-12)


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


def test_a_longer_table_begins_with_the_shorter() -> None:
    """No fixed maximum, and no position depends on how many follow."""
    long = positional.sinusoidal(5000, 12)
    np.testing.assert_array_equal(long[:13], positional.sinusoidal(13, 12))
    assert np.abs(long).max() <= 1


def test_relative_positions_are_rotations() -> None:
    """Section 3.5: PE(pos + k) is a linear function of PE(pos), the same for every pos."""
    k, d, n = 3, 8, 11
    table = positional.sinusoidal(n + k, d)
    for pair in range(d // 2):
        sines, cosines = table[:, 2 * pair], table[:, 2 * pair + 1]
        turn = k / 10000 ** (2 * pair / d)
        rotated = sines[:n] * math.cos(turn) + cosines[:n] * math.sin(turn)
        np.testing.assert_allclose(sines[k:], rotated, atol=1e-14)
