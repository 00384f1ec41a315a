"""The curves of a training run up to a step, which are kept when the page is reloaded."""

from __future__ import annotations

from typing import NamedTuple

Point = tuple[int, float]


class RunCurves(NamedTuple):
    """Loss, learning rate and gradient norm at some steps, and accuracy at others."""

    step: tuple[int, ...] = ()  # in order; the next three have one number per step
    loss: tuple[float, ...] = ()
    rate: tuple[float, ...] = ()  # the learning rate
    norm: tuple[float, ...] = ()  # of the gradient
    right: tuple[Point, ...] = ()  # a step, and the percentage of held-out pairs that were right

    def loss_at(self, step: int) -> float | None:
        """Return the loss at a step; None if the curves have no point there."""
        return self.loss[self.step.index(step)] if step in self.step else None

    def right_at(self, step: int) -> Point | None:
        """Return the last test up to a step, as its step and percentage; None if there was none."""
        found = [point for point in self.right if point[0] <= step]
        return found[-1] if found else None

    def until(self, step: int) -> RunCurves:
        """Return the curves up to a step."""
        count = sum(each <= step for each in self.step)
        right = tuple(point for point in self.right if point[0] <= step)
        return RunCurves(
            self.step[:count], self.loss[:count], self.rate[:count], self.norm[:count], right
        )

    def then(self, later: RunCurves) -> RunCurves:
        """Return these curves, followed by those of a run that resumed from their last step."""
        return RunCurves(
            self.step + later.step,
            self.loss + later.loss,
            self.rate + later.rate,
            self.norm + later.norm,
            self.right + later.right,
        )
