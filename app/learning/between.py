"""Computes the distance between two snapshots of a run."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

Parameters = Mapping[str, np.ndarray]


class Between(NamedTuple):
    """Distances of the learned numbers from their earlier values."""

    mean: float  # the mean distance of all numbers
    path: str  # the matrix that moved furthest on average; empty if none moved
    furthest: float  # the mean distance of the numbers of ``path``


def between(before: Parameters, now: Parameters) -> Between:
    """Compare the parameters of two snapshots, which have the same paths and shapes."""
    moved = {path: np.abs(now[path] - array) for path, array in before.items() if array.size}
    if not moved:
        return Between(0.0, "", 0.0)
    means = {path: float(each.mean()) for path, each in moved.items()}
    path = max(means, key=means.__getitem__)
    count = sum(each.size for each in moved.values())
    mean = sum(float(each.sum()) for each in moved.values()) / count
    return Between(mean, path if means[path] else "", means[path])
