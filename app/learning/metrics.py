"""Metrics of a training run: numbers of every step, and evaluations on held-out pairs."""

from typing import NamedTuple

from transformer_math import Progress


class Evaluation(NamedTuple):
    """The number of held-out pairs that were translated exactly at one step."""

    step: int
    correct: int
    total: int

    @property
    def percent(self) -> float:
        return 100 * self.correct / self.total


class Metrics:
    """The metrics of every step in order; ``start`` is the step before the first."""

    def __init__(self, start: int = 0) -> None:
        self.start = start
        self.loss: list[float] = []
        self.learning_rate: list[float] = []
        self.gradient_norm: list[float] = []
        self.evaluations: list[Evaluation] = []

    def __len__(self) -> int:
        return len(self.loss)

    def add(self, progress: Progress) -> None:
        """Append the metrics of a step."""
        self.loss.append(progress.loss)
        self.learning_rate.append(progress.learning_rate)
        self.gradient_norm.append(progress.norm)
