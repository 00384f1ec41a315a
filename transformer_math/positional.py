"""Positional encoding (Section 3.5); positions and dimensions count from 0."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

BASE = 10_000.0


def angles(n: int, d_model: int) -> np.ndarray:
    """pos / 10000^(2i / d_model) in radians, (n, ⌈d_model / 2⌉), for pair i of dimensions."""
    pair = np.arange(0, d_model, 2)
    return np.arange(n)[:, None] / BASE ** (pair / d_model)


def sinusoidal(n: int, d_model: int) -> np.ndarray:
    """The paper's layout, (n, d_model) in float64: sine at even, cosine at odd dimensions."""
    table = np.empty((n, d_model))
    angle = angles(n, d_model)
    table[:, 0::2] = np.sin(angle)
    table[:, 1::2] = np.cos(angle[:, : d_model // 2])
    return table


def sinusoidal_halves(n: int, d_model: int) -> np.ndarray:
    """The same waves as Marian lays them out: all the sines first, then all the cosines."""
    angle = angles(n, d_model)
    return np.concatenate([np.sin(angle), np.cos(angle[:, : d_model // 2])], axis=1)


def wave_of(dimension: int, d_model: int, halves: bool) -> tuple[Callable[[float], float], int]:
    """The wave (``math.sin`` or ``math.cos``) and the pair i that a dimension belongs to."""
    if halves:
        sines = (d_model + 1) // 2
        return (math.sin, dimension) if dimension < sines else (math.cos, dimension - sines)
    return (math.cos if dimension % 2 else math.sin), dimension // 2
