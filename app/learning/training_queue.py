"""Which trainings may run now: they share the machine, so only some run at once.

Turns are of people: who trains on a second page waits until all others have had the first of
theirs. People are told apart by what the page knows of where they come from, which may be nothing.
"""

from __future__ import annotations


class Ticket:
    """One training's place in the queue.

    Attributes:
        person: whose it is; empty where nobody knows.
        round: how many of the same person's were there when it came.
    """

    def __init__(self, queue: TrainingQueue, person: str) -> None:
        self._queue = queue
        self.person = person
        self.round = sum(bool(person) and each.person == person for each in queue.tickets)
        self.has_begun = False

    @property
    def ahead(self) -> int:
        """How many trainings that come first are not over yet."""
        return self._queue.order().index(self)

    @property
    def is_admitted(self) -> bool:
        """Whether this training may run now; one that may goes on until it is released."""
        self.has_begun = self.has_begun or self.ahead < self._queue.slots
        return self.has_begun

    def release(self) -> None:
        """Make room for the next; twice is harmless."""
        if self in self._queue.tickets:
            self._queue.tickets.remove(self)


class TrainingQueue:
    """Trainings in the order in which they came; the first ``slots`` of them run.

    Attributes:
        slots: how many run at once.
        tickets: all that are not over, as they came.
    """

    def __init__(self, slots: int) -> None:
        if slots < 1:
            raise ValueError(f"At least one training has to be able to run, not {slots}.")
        self.slots = slots
        self.tickets: list[Ticket] = []

    def enter(self, person: str = "") -> Ticket:
        """A place in the queue, to be given up by ``release``."""
        ticket = Ticket(self, person)
        self.tickets.append(ticket)
        return ticket

    def order(self) -> list[Ticket]:
        """Those that run, then everyone's first one, everyone's second, and so on."""
        return sorted(self.tickets, key=lambda each: (not each.has_begun, each.round))
