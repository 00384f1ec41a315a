"""Training that can be watched: settings, a run with its metrics and snapshots, a queue."""

from .controller import TrainingController, TrainingState
from .example import Example
from .example_pass import ExamplePass
from .settings import TrainingSettings
from .training_queue import TrainingQueue
from .training_run import TrainingRun

__all__ = [
    "Example",
    "ExamplePass",
    "TrainingController",
    "TrainingQueue",
    "TrainingRun",
    "TrainingSettings",
    "TrainingState",
]
