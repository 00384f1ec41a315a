"""Snapshots of a run's parameters at some of its steps."""

from __future__ import annotations

import numpy as np

Parameters = dict[str, np.ndarray]


class Snapshots:
    """Parameters at evenly spaced steps, limited in number.

    Snapshots are taken at multiples of a stride. When there are too many, the stride doubles and
    every other one is dropped, so that memory does not grow with the run.
    """

    MAX_COUNT = 48
    MAX_BYTES = 24 << 20  # large models have fewer snapshots
    MIN_COUNT = 12

    def __init__(self) -> None:
        self.stride = 1
        self._kept: dict[int, Parameters] = {}

    @property
    def steps(self) -> list[int]:
        """The steps with snapshots, in order."""
        return sorted(self._kept)

    def __getitem__(self, step: int) -> Parameters:
        return self._kept[step]

    def is_due(self, step: int) -> bool:
        """Whether a snapshot of this step is due."""
        return step % self.stride == 0 or not self._kept

    def add(self, step: int, parameters: Parameters) -> None:
        """Store a copy of the parameters; the first snapshot is never dropped."""
        self._kept[step] = parameters
        size = sum(array.nbytes for array in parameters.values())
        count = max(self.MIN_COUNT, min(self.MAX_COUNT, self.MAX_BYTES // max(size, 1)))
        first = min(self._kept)
        while len(self._kept) > count:
            self.stride *= 2
            self._kept = {
                at: kept for at, kept in self._kept.items() if at % self.stride == 0 or at == first
            }
