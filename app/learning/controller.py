"""Play, pause and step of a run, beside the page: one task at a time, none left behind."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import Enum
from typing import Protocol, TypeVar

from .training_queue import TrainingQueue
from .training_run import TrainingRun

T = TypeVar("T")

SLICE_SECONDS = 0.16  # of training between two updates of what is shown
QUEUE_POLL_SECONDS = 0.2


class TrainingState(Enum):
    """What a run is doing."""

    READY = "ready"
    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    DONE = "done"
    DIVERGED = "diverged"


class RunInThread(Protocol):
    """Calls a function without holding up the page, and gives what it returns."""

    def __call__(self, function: Callable[[], T], /) -> Awaitable[T]: ...


@dataclass(frozen=True)
class Environment:
    """What a controller needs of where it runs.

    Attributes:
        queue: where trainings take turns.
        run_in_thread: runs a function without holding up the page.
        tuned_for_training: entered while a run goes on.
        has_viewers: whether somebody still has the page open.
    """

    queue: TrainingQueue
    run_in_thread: RunInThread
    tuned_for_training: Callable[[], AbstractContextManager[None]]
    has_viewers: Callable[[], bool]


class TrainingController:
    """Lets a run go on in slices while somebody watches.

    A training takes its turn in the queue when it is played and gives it up when it is paused,
    over, or no longer watched, after the slice under way at the latest.

    Attributes:
        run: what is trained; another one is taken by ``load``.
        ahead: while it waits, how many trainings came earlier.
    """

    def __init__(
        self,
        run: TrainingRun,
        environment: Environment,
        *,
        on_slice: Callable[[], None],
        on_change: Callable[[], None],
    ) -> None:
        """A controller of a run.

        Args:
            run: what to train first.
            environment: threads, the queue, who watches.
            on_slice: called off the loop after each slice, to compute what is shown.
            on_change: called when there is something new to show.
        """
        self.run = run
        self.ahead = 0
        self._environment = environment
        self._on_slice = on_slice
        self._on_change = on_change
        self._is_playing = False
        self._task: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()  # the run is used by one thread at a time

    @property
    def state(self) -> TrainingState:
        """What the run is doing now."""
        if self._is_playing and self._task is not None:
            return TrainingState.WAITING if self.ahead else TrainingState.RUNNING
        if self.run.problem:
            return TrainingState.DIVERGED
        if not self.run.can_continue:
            return TrainingState.DONE
        has_begun = self.run.step > self.run.metrics.start
        return TrainingState.PAUSED if has_begun else TrainingState.READY

    def play(self) -> None:
        """Go on, as soon as it is this run's turn."""
        if not self.run.can_continue:
            return
        self._is_playing = True
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._play())

    def pause(self) -> None:
        """Hold after the slice under way."""
        self._is_playing = False

    async def run_exclusively(self, action: Callable[[], T]) -> T:
        """Do something with the run that takes its time: one step, an evaluation, a pass."""
        async with self._lock:
            return await self._environment.run_in_thread(action)

    async def load(self, run: TrainingRun) -> None:
        """Take another run from now on; it waits to be played."""
        self.pause()
        if self._task is not None:
            await asyncio.wait([self._task])
        async with self._lock:
            self.run = run

    def close(self) -> None:
        """Nobody comes back to this run."""
        self.pause()
        if self._task is not None:
            self._task.cancel()

    async def _play(self) -> None:
        ticket = self._environment.queue.enter()
        try:
            while not ticket.is_admitted and self._goes_on():
                self.ahead = ticket.ahead
                self._on_change()
                await asyncio.sleep(QUEUE_POLL_SECONDS)
            self.ahead = 0
            if self._goes_on():
                with self._environment.tuned_for_training():
                    while self._goes_on():
                        await self.run_exclusively(self._train_slice)
                        self._on_change()
        finally:
            ticket.release()
            self.ahead = 0
            self._is_playing = False
            self._task = None
            self._on_change()

    def _goes_on(self) -> bool:
        return self._is_playing and self.run.can_continue and self._environment.has_viewers()

    def _train_slice(self) -> None:
        self.run.advance(SLICE_SECONDS)
        self._on_slice()
