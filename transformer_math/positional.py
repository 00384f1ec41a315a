"""Positional encoding (Section 3.5); positions and dimensions count from 0."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from transformer_math.arguments import checked
from transformer_math.checks import check_whole

BASE = 10_000.0


@checked()
def angles(n: int, d_model: int) -> np.ndarray:
    """Return pos / 10000^(2i / d_model) in radians for pair i: (n, ⌈d_model / 2⌉)."""
    check_whole("n", n, 0)
    check_whole("d_model", d_model, 1)
    pair = np.arange(0, d_model, 2)
    return np.arange(n)[:, None] / BASE ** (pair / d_model)


@checked()
def sinusoidal(n: int, d_model: int) -> np.ndarray:
    """Return the paper's encoding (n, d_model), float64: sine in even, cosine in odd dimensions."""
    angle = angles(n, d_model)
    table = np.empty((n, d_model))
    table[:, 0::2] = np.sin(angle)
    table[:, 1::2] = np.cos(angle[:, : d_model // 2])
    return table


@checked()
def sinusoidal_halves(n: int, d_model: int) -> np.ndarray:
    """Return Marian's encoding (n, d_model) in float64: all sines before all cosines."""
    angle = angles(n, d_model)
    return np.concatenate([np.sin(angle), np.cos(angle[:, : d_model // 2])], axis=1)


@checked()
def wave_of(dimension: int, d_model: int, halves: bool) -> tuple[Callable[[float], float], int]:
    """Return the wave of a dimension, ``math.sin`` or ``math.cos``, and its pair i.

    Args:
        dimension: from 0 to d_model − 1.
        d_model: the width of the encoding.
        halves: True for ``sinusoidal_halves``, False for ``sinusoidal``.
    """
    check_whole("d_model", d_model, 1)
    check_whole("dimension", dimension, 0, d_model - 1)
    if halves:
        sines = (d_model + 1) // 2
        return (math.sin, dimension) if dimension < sines else (math.cos, dimension - sines)
    return (math.cos if dimension % 2 else math.sin), dimension // 2
