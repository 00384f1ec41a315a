"""Positions as clocks: each pair of sine and cosine is a hand that turns (Section 3.5).

Position p turns the hand of pair i to the angle p·ω_i, with ω_i = 1/10000^(2i/d_model). A shift by
k positions is therefore a rotation by k·ω_i, from whichever position it starts.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from transformer_math import positional

MAX_FOR_A_SHIFT = 1 << 18  # numbers compared when a shift is checked: a few milliseconds

MAX_FOR_ROUNDING = 1000  # rows in which the largest rounding is searched for


class Shift(NamedTuple):
    """A shift by k positions, checked against the rows that the model adds.

    Attributes:
        angles: (pairs,), the angle by which each hand turns, in radians.
        starts: the number of positions from which the shift was checked.
        error: the largest difference of a number from that of the rotated row.
    """

    angles: np.ndarray
    starts: int
    error: float


class Nearest(NamedTuple):
    """The two most similar of a range of positions.

    Attributes:
        first: the earlier position.
        second: the later position.
        distance: the distance between their rows, in float64.
        neighbors: the smallest distance of adjacent positions.
        same: the number of rows that equal an earlier row when stored in the model's precision.
        rounding: the largest difference of a stored number from the exact number.
    """

    first: int
    second: int
    distance: float
    neighbors: float
    same: int
    rounding: float


def speeds(d_model: int) -> np.ndarray:
    """Return the ω_i in radians per position: (⌈d_model / 2⌉,)."""
    found: np.ndarray = positional.angles(2, d_model)[1]
    return found


def columns(d_model: int, halves: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the dimensions that hold the sines, and those that hold the cosines.

    With an odd d_model the last sine has no cosine.
    """
    sines = (d_model + 1) // 2
    if halves:
        return np.arange(sines), np.arange(sines, d_model)
    return np.arange(0, d_model, 2), np.arange(1, d_model, 2)


def table(n: int, d_model: int, halves: bool) -> np.ndarray:
    """Return the encoding of positions 0 … n−1 in float64: (n, d_model)."""
    return (positional.sinusoidal_halves if halves else positional.sinusoidal)(n, d_model)


def shift(rows: np.ndarray, k: int, halves: bool) -> Shift:
    """Check that a shift by k turns each hand by k·ω_i in all rows (n, d_model) of a table.

    A long table of a wide model is checked at equally spaced starts.
    """
    n, d_model = rows.shape
    turn = k * speeds(d_model)
    step = max(1, (n - abs(k)) * d_model // MAX_FOR_A_SHIFT)
    starts = np.arange(max(0, -k), max(0, min(n, n - k)), step)
    sines, cosines = columns(d_model, halves)
    pairs = len(cosines)
    sine, cosine = rows[starts][:, sines[:pairs]], rows[starts][:, cosines]
    c, s = np.cos(turn[:pairs]), np.sin(turn[:pairs])
    later = rows[starts + k]
    errors = (
        np.abs(later[:, sines[:pairs]] - (sine * c + cosine * s)),
        np.abs(later[:, cosines] - (cosine * c - sine * s)),
    )
    return Shift(turn, len(starts), max(float(e.max(initial=0)) for e in errors))


def kernel(position: int, others: np.ndarray, d_model: int) -> np.ndarray:
    """Compute PE(p)·PE(q) for one position p and others q (n,): (n,).

    The product is Σ cos((p − q)·ω_i), so with an even d_model it depends only on p − q.
    """
    speed = speeds(d_model)
    paired = d_model // 2
    found: np.ndarray = np.cos((others - position)[:, None] * speed[:paired]).sum(axis=1)
    if d_model % 2:
        found += np.sin(position * speed[-1]) * np.sin(others * speed[-1])
    return found


@functools.lru_cache(maxsize=8)
def nearest(last: int, d_model: int, halves: bool, dtype: str) -> Nearest:
    """Return the two most similar of the positions 0 … last.

    The squared distance of two positions k apart is Σ (2 − 2 cos(k·ω_i)) over the pairs, so one
    number for each k is enough. A sine without a cosine adds a part that depends on the positions
    themselves; this part is computed only for those k whose rest is below the smallest distance.
    """
    gaps = np.arange(1, last + 1)
    speed = speeds(d_model)
    squared = np.zeros(last)
    for each in speed[: d_model // 2]:
        squared += 4 * np.sin(gaps * each / 2) ** 2  # 2 − 2 cos x without cancellation
    firsts = np.zeros(last, int)
    if d_model % 2:
        _add_single_sine(squared, firsts, gaps, speed[-1])
    best = int(squared.argmin())
    exact = table(min(last + 1, MAX_FOR_ROUNDING), d_model, halves)
    return Nearest(
        int(firsts[best]),
        int(firsts[best] + gaps[best]),
        float(np.sqrt(squared[best])),
        float(np.sqrt(squared[0])),
        _same(last, d_model, halves, dtype, float(squared[best])),
        float(np.abs(exact.astype(dtype) - exact).max()),
    )


def _same(last: int, d_model: int, halves: bool, dtype: str, squared: float) -> int:
    """Return the number of rows that equal an earlier row, given the least squared distance."""
    if squared > 4 * d_model * float(np.finfo(dtype).eps) ** 2:
        return 0  # rounding moves each number by less than half of eps
    stored = table(last + 1, d_model, halves).astype(dtype)
    return len(stored) - len(np.unique(stored, axis=0))


def _add_single_sine(
    squared: np.ndarray, firsts: np.ndarray, gaps: np.ndarray, speed: float
) -> None:
    """Add the least of (sin(pω) − sin((p + k)ω))² over all p, for the k where it can matter."""
    last = len(gaps)
    waves = np.sin(np.arange(last + 1) * speed)
    least = np.inf
    for at in np.argsort(squared, kind="stable"):
        k = gaps[at]
        if k > 1 and squared[at] >= least:
            squared[at] = np.inf
            continue
        apart = (waves[k:] - waves[:-k]) ** 2
        firsts[at] = apart.argmin()
        squared[at] += apart[firsts[at]]
        least = min(least, squared[at])
