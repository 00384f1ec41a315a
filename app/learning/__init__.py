"""Training with live results: plan, run, metrics, snapshots and the queue."""

from .plan import TrainingPlan
from .session import TrainingSession
from .training import Training, TrainingState
from .training_queue import TrainingQueue
from .training_run import TrainingRun

__all__ = [
    "Training",
    "TrainingPlan",
    "TrainingQueue",
    "TrainingRun",
    "TrainingSession",
    "TrainingState",
]
