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
    """The weights of a repeated training, and their difference from the original weights."""

    weights: Weights
    difference: float  # estimated root mean square; 0 if there is none


class Training(NamedTuple):
    """The training of the model of one scenario, without facts about other models or runs."""

    state: TrainingState
    error: str = ""  # the last error; empty if there was none
    ahead: int = 0  # training runs ahead of this one in the queue
    step: int | None = None  # the last step of the model's run; None without a run
    can_continue: bool = False  # whether the run can take another step
    problem: str = ""  # why the run cannot continue, unless it is complete
    minimum_loss: float = 0.0  # the smallest loss that the run can reach; 0 without a run
    curves: RunCurves = RunCurves()  # the curves of the run that produced the model
    # Correct and evaluated held-out pairs of the last evaluation.
    right: tuple[int, int] | None = None
    checked_at: int = 0  # the step of that evaluation
    is_kept: bool = False  # whether the model continues the run of an earlier page
    repeats: int = 0  # the step up to which a training run is repeated; 0 without one
    comparison: Comparison | None = None  # the result of the repetition
    seconds_left: float | None = None  # estimated
    slowness: float = 1.0  # the duration on this machine, relative to the plan's estimate
