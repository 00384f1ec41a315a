"""The facts of the training of a page's model at one moment."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from ..model.scenario.run_curves import RunCurves
from ..model.scenario.weights import Weights


class TrainingState(Enum):
    """The state of the training of the page's model."""

    UNAVAILABLE = "unavailable"  # the model cannot be trained here
    READY = "ready"
    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    DONE = "done"
    DIVERGED = "diverged"
    TRAINED = "trained"  # the weights were pretrained, or restored from a tab


class Comparison(NamedTuple):
    """The weights produced by a repeated training, and their difference from the original ones.

    Attributes:
        weights: the weights.
        difference: the estimated root mean square of the differences; 0 if there are none.
    """

    weights: Weights
    difference: float


class Training(NamedTuple):
    """The training of the model of one scenario, without facts about other models or runs.

    Attributes:
        state: the state of the training.
        error: a sentence about the last error; empty if there was none.
        ahead: the number of trainings ahead of this one in the queue.
        step: the last step of the model's run; None without a run.
        can_continue: whether the run can take another step.
        problem: a sentence on the reason why it cannot, unless the run is complete.
        minimum_loss: the smallest loss that the run can reach; 0 without a run.
        curves: the curves of the run that produced the model.
        right: the correct held-out pairs in the last evaluation, and the number of evaluated pairs.
        checked_at: the step of the last evaluation.
        is_kept: whether the model continues the run of an earlier page.
        repeats: the step up to which a training is repeated; 0 without one.
        comparison: the result of the repetition; None without one.
        seconds_left: estimated seconds until the run is done; None if unknown.
        slowness: the duration of a run on this machine, relative to the plan's estimate.
    """

    state: TrainingState
    error: str = ""
    ahead: int = 0
    step: int | None = None
    can_continue: bool = False
    problem: str = ""
    minimum_loss: float = 0.0
    curves: RunCurves = RunCurves()
    right: tuple[int, int] | None = None
    checked_at: int = 0
    is_kept: bool = False
    repeats: int = 0
    comparison: Comparison | None = None
    seconds_left: float | None = None
    slowness: float = 1.0
