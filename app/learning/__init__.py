"""Training that can be watched: settings, a run with its history, a queue. Pure: no panel."""

from app.learning.moment import Example, Moment
from app.learning.player import Player, State
from app.learning.queue import Queue
from app.learning.run import Run
from app.learning.settings import LearnSettings

__all__ = ["Example", "LearnSettings", "Moment", "Player", "Queue", "Run", "State"]
