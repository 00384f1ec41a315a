"""Snapshots of a run's parameters at some of its steps."""

import numpy as np

from .pace import moments

Parameters = dict[str, np.ndarray]


class Snapshots:
    """Parameters at steps that are evenly spaced on the timeline of a run, limited in number.

    The steps are chosen before the run, so memory does not grow with its length. Within the limit,
    each of the first steps has a snapshot.
    """

    MAX_COUNT = 120
    MAX_BYTES = 24 << 20  # large models have fewer snapshots
    MIN_COUNT = 12

    def __init__(self, steps: int, size: int = 0) -> None:
        """Plan a run of this many steps; all parameters have ``size`` bytes."""
        most = max(self.MIN_COUNT, min(self.MAX_COUNT, self.MAX_BYTES // max(size, 1)))
        self.moments = moments(steps, most)  # the steps with snapshots in the whole run
        self._due = frozenset(self.moments)
        self._kept: dict[int, Parameters] = {}

    @property
    def steps(self) -> list[int]:
        """The steps with snapshots, in order."""
        return sorted(self._kept)

    def __getitem__(self, step: int) -> Parameters:
        return self._kept[step]

    def is_due(self, step: int) -> bool:
        """Return whether a snapshot of this step is due."""
        return step in self._due or not self._kept

    def add(self, step: int, parameters: Parameters) -> None:
        """Store parameters, which the caller must not change."""
        self._kept[step] = parameters
