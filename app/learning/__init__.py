"""Training that can be watched: a plan, a run with its metrics and snapshots, a queue."""

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
