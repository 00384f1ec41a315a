"""Play, pause and step of a run, beside the page: one task at a time, none left behind."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Protocol, TypeVar

from .training_queue import TrainingQueue
from .training_run import TrainingRun

T = TypeVar("T")

# Of training between two updates of the page: with what the page takes for one, 30 a second.
SLICE_SECONDS = 0.02
TURN, LONGEST = 0.006, 0.16  # what the page may take of one before slices grow, and how far
QUEUE_POLL_SECONDS = 0.2


class RunInThread(Protocol):
    """Calls a function without holding up the page, and gives what it returns."""

    def __call__(self, function: Callable[[], T], /) -> Awaitable[T]: ...


@dataclass(frozen=True)
class Environment:
    """What a training needs of where it runs.

    Attributes:
        queue: where trainings take turns.
        run_in_thread: runs a function without holding up the page.
        on_page: changes the page from outside an event, and comes back when that is done.
        tuned_for_training: entered while a run goes on.
        has_viewers: whether somebody still has the page open.
        person: whose page it is, as far as that is known.
    """

    queue: TrainingQueue
    run_in_thread: RunInThread
    on_page: Callable[[Callable[[], None]], Awaitable[None]]
    tuned_for_training: Callable[[], AbstractContextManager[None]]
    has_viewers: Callable[[], bool]
    person: str = ""


class TrainingController:
    """Lets a run go on in slices while somebody watches; the page has its turn after each.

    A training takes its turn in the queue when it is played and gives it up when it is paused,
    over, or no longer watched, after the slice under way at the latest. So does a single step.

    Attributes:
        ahead: while it waits, how many trainings came earlier.
    """

    def __init__(
        self,
        environment: Environment,
        *,
        on_slice: Callable[[], None],
        on_page: Callable[[], None],
    ) -> None:
        """A controller with no run yet.

        Args:
            environment: threads, the queue, who watches.
            on_slice: called off the loop after each slice, to compute what is shown.
            on_page: called with the page when there is something new to show.
        """
        self.ahead = 0
        self._environment = environment
        self._on_slice = on_slice
        self._on_page = on_page
        self._is_playing = False
        self._is_closed = False
        self._slice = SLICE_SECONDS
        self._task: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()  # a run is used by one thread at a time
        self._stepping = asyncio.Lock()  # of the steps that were asked for one waits for its turn
        self._dropped = 0  # how often all of them were given up

    @property
    def is_active(self) -> bool:
        """Whether a run goes on, or waits for its turn to."""
        return (self._is_playing and self._task is not None) or self.ahead > 0

    def play(self, run: TrainingRun, until: int | None = None) -> None:
        """Let a run go on, as soon as it is its turn, perhaps only to a step."""
        if run.can_continue and not self.is_active:
            self._is_playing = True
            self._task = asyncio.get_running_loop().create_task(self._play(run, until))

    def pause(self) -> None:
        """Hold after the slice under way."""
        self._is_playing = False

    async def stop(self) -> None:
        """Hold, and come back when no thread has the run any more."""
        self.pause()
        if self._task is not None:
            await asyncio.wait([self._task])

    async def step(self, run: TrainingRun) -> None:
        """Take one step, as soon as it is its turn."""
        dropped = self._dropped

        def is_wanted() -> bool:
            is_asked = self._dropped == dropped and not (self._is_playing or self._is_closed)
            return is_asked and self._environment.has_viewers()

        async with self._stepping:
            if not is_wanted():
                return
            async with self._turn(is_wanted):
                if is_wanted():
                    with self._environment.tuned_for_training():
                        await self._advance(run, 0.0, None)
        if not is_wanted():  # it may have been shown as waiting
            await self._environment.on_page(self._on_page)

    def drop_steps(self) -> None:
        """Of the steps that were asked for take none that has not begun."""
        self._dropped += 1

    async def run_exclusively(self, action: Callable[[], T]) -> T:
        """Do something with the run that takes its time."""
        async with self._lock:
            return await self._environment.run_in_thread(action)

    def close(self) -> None:
        """Nobody comes back to this run."""
        self._is_closed = True
        self.pause()
        if self._task is not None:
            self._task.cancel()

    async def _play(self, run: TrainingRun, until: int | None) -> None:
        try:
            async with self._turn(lambda: self._goes_on(run, until)):
                if self._goes_on(run, until):
                    with self._environment.tuned_for_training():
                        while self._goes_on(run, until):
                            await self._advance(run, self._slice, until)
        finally:
            self._is_playing = False
            self._task = None
            await self._environment.on_page(self._on_page)

    @asynccontextmanager
    async def _turn(self, is_wanted: Callable[[], bool]) -> AsyncIterator[None]:
        """A place in the queue, from when it is its turn, or when it is not wanted any more."""
        ticket = self._environment.queue.enter(self._environment.person)
        try:
            while not ticket.is_admitted and is_wanted():
                self.ahead = ticket.ahead
                await self._environment.on_page(self._on_page)
                await asyncio.sleep(QUEUE_POLL_SECONDS)
            self.ahead = 0
            yield
        finally:
            ticket.release()
            self.ahead = 0

    async def _advance(self, run: TrainingRun, seconds: float, until: int | None) -> None:
        def train() -> None:
            if self._is_closed or not self._environment.has_viewers():
                return  # steps that were asked for before their page went
            run.advance(seconds, until=until)
            self._on_slice()

        await self.run_exclusively(train)
        begin = time.perf_counter()
        await self._environment.on_page(self._on_page)
        # What the page takes for a large model is not to be most of the time.
        self._slice = min(SLICE_SECONDS * max(1.0, (time.perf_counter() - begin) / TURN), LONGEST)

    def _goes_on(self, run: TrainingRun, until: int | None) -> bool:
        is_there = not run.can_continue or run.step == until
        return self._is_playing and not is_there and self._environment.has_viewers()
