"""Training that can be watched: settings, a run with its history, a queue. Pure: no panel."""

from .moment import Example, Moment
from .player import Player, State
from .queue import Queue
from .run import Run
from .settings import LearnSettings

__all__ = ["Example", "LearnSettings", "Moment", "Player", "Queue", "Run", "State"]
