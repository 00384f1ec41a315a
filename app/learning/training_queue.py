"""Limits the number of simultaneous training runs, because they share one machine.

The queue is fair among users: a user's second training waits until the first of each other user has
begun. Users are identified by their network address, which may be unknown.
"""

from __future__ import annotations


class Ticket:
    """The place of one training in the queue."""

    def __init__(self, queue: TrainingQueue, person: str) -> None:
        self._queue = queue
        self.person = person  # empty if unknown
        # The number of the user's training runs that were in the queue when this one was added.
        self.round = sum(bool(person) and each.person == person for each in queue.tickets)
        self.has_begun = False

    @property
    def ahead(self) -> int:
        """The number of unfinished training runs ahead of this one."""
        return self._queue.order().index(self)

    @property
    def is_admitted(self) -> bool:
        """Whether this training may run now; once admitted, it may run until released."""
        self.has_begun = self.has_begun or self.ahead < self._queue.slots
        return self.has_begun

    def release(self) -> None:
        """Leave the queue; repeated calls have no effect."""
        if self in self._queue.tickets:
            self._queue.tickets.remove(self)


class TrainingQueue:
    """Trainings in order of arrival, of which at most ``slots`` run."""

    def __init__(self, slots: int) -> None:
        if slots < 1:
            raise ValueError(f"At least one training has to be able to run, not {slots}.")
        self.slots = slots  # the largest number of simultaneous training runs
        self.tickets: list[Ticket] = []  # all unfinished training runs in order of arrival

    def enter(self, person: str = "") -> Ticket:
        """Join the queue, until the returned ticket is released."""
        ticket = Ticket(self, person)
        self.tickets.append(ticket)
        return ticket

    def order(self) -> list[Ticket]:
        """Return the runs in progress, then each user's first run, then the second, and so on."""
        return sorted(self.tickets, key=lambda each: (not each.has_begun, each.round))
