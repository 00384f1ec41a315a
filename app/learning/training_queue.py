"""Which trainings may run now: they share the machine, so only some run at once."""

from __future__ import annotations


class Ticket:
    """One training's place in the queue."""

    def __init__(self, queue: TrainingQueue) -> None:
        self._queue = queue

    @property
    def ahead(self) -> int:
        """How many trainings that came earlier are not over yet."""
        return self._queue.tickets.index(self)

    @property
    def is_admitted(self) -> bool:
        """Whether this training may run now."""
        return self.ahead < self._queue.slots

    def release(self) -> None:
        """Make room for the next; twice is harmless."""
        if self in self._queue.tickets:
            self._queue.tickets.remove(self)


class TrainingQueue:
    """Trainings in the order in which they came; the first ``slots`` of them run.

    Attributes:
        slots: how many run at once.
        tickets: those that run, then those that wait.
    """

    def __init__(self, slots: int) -> None:
        if slots < 1:
            raise ValueError(f"At least one training has to be able to run, not {slots}.")
        self.slots = slots
        self.tickets: list[Ticket] = []

    def enter(self) -> Ticket:
        """A place at the end of the queue, to be given up by ``release``."""
        ticket = Ticket(self)
        self.tickets.append(ticket)
        return ticket
