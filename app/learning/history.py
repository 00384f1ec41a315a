"""What is kept of a run while it goes on: a line of numbers for each step, and snapshots. Pure."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from transformer_math import Progress

Parameters = dict[str, np.ndarray]


class Check(NamedTuple):
    """How many held-out pairs came out letter by letter."""

    step: int
    right: int
    of: int

    @property
    def percent(self) -> float:
        return 100 * self.right / self.of


class History:
    """Every step's numbers, in order; ``start`` is the step before the first of them."""

    RECENT = 20  # steps that the speed is taken from

    def __init__(self, start: int = 0) -> None:
        self.start = start
        self.loss: list[float] = []
        self.rate: list[float] = []
        self.norm: list[float] = []
        self.checks: list[Check] = []
        self._recent: list[tuple[float, float]] = []

    def __len__(self) -> int:
        return len(self.loss)

    def add(self, progress: Progress) -> None:
        """Keep a step that was taken."""
        self.loss.append(progress.loss)
        self.rate.append(progress.rate)
        self.norm.append(progress.norm)
        tokens = progress.tokens_per_second * progress.seconds
        self._recent = [*self._recent[1 - self.RECENT :], (tokens, progress.seconds)]

    @property
    def tokens_per_second(self) -> float:
        """Of the last steps, by the time that they took; 0 before the first one."""
        seconds = sum(s for _, s in self._recent)
        return sum(tokens for tokens, _ in self._recent) / seconds if seconds else 0.0


class Timeline:
    """Parameters as they were at some steps: few enough to keep, evenly apart.

    Snapshots stand at multiples of a stride. When there are too many, the stride doubles and
    every other one is let go, so that what is kept does not grow with the run.
    """

    MOST = 48
    BYTES = 24 << 20  # of a large model fewer are kept
    LEAST = 12

    def __init__(self) -> None:
        self.stride = 1
        self._kept: dict[int, Parameters] = {}

    @property
    def steps(self) -> list[int]:
        """The steps there are snapshots of, in order."""
        return sorted(self._kept)

    def __getitem__(self, step: int) -> Parameters:
        return self._kept[step]

    def wants(self, step: int) -> bool:
        """Whether the parameters of this step are to be kept."""
        return step % self.stride == 0 or not self._kept

    def keep(self, step: int, parameters: Parameters) -> None:
        """Keep a copy that nobody else changes; the first one stays for good."""
        self._kept[step] = parameters
        size = sum(array.nbytes for array in parameters.values())
        most = max(self.LEAST, min(self.MOST, self.BYTES // max(size, 1)))
        first = min(self._kept)
        while len(self._kept) > most:
            self.stride *= 2
            self._kept = {
                at: kept for at, kept in self._kept.items() if at % self.stride == 0 or at == first
            }
