"""Who may train now: trainings share the machine, so only some run at once. Pure."""

from __future__ import annotations


class Turn:
    """One training's place in the queue."""

    def __init__(self, queue: Queue) -> None:
        self._queue = queue

    @property
    def before(self) -> int:
        """How many trainings that came earlier are not over yet."""
        return self._queue.turns.index(self)

    @property
    def has_come(self) -> bool:
        """Whether this training may run now."""
        return self.before < self._queue.most

    def end(self) -> None:
        """Make room for the next; twice is harmless."""
        if self in self._queue.turns:
            self._queue.turns.remove(self)


class Queue:
    """Trainings in the order in which they came; the first ``most`` of them run.

    Attributes:
        most: how many run at once.
        turns: those that run, then those that wait.
    """

    def __init__(self, most: int) -> None:
        if most < 1:
            raise ValueError(f"At least one training has to be able to run, not {most}.")
        self.most = most
        self.turns: list[Turn] = []

    def enter(self) -> Turn:
        """A place at the end of the queue, to be given up by ``end``."""
        turn = Turn(self)
        self.turns.append(turn)
        return turn
