"""Training with live results: plan, run, metrics, snapshots and the queue."""

from .plan import TrainingPlan
from .session import TrainingSession, TrainingState
from .training_queue import TrainingQueue
from .training_run import TrainingRun

__all__ = [
    "TrainingPlan",
    "TrainingQueue",
    "TrainingRun",
    "TrainingSession",
    "TrainingState",
]
