"""Runs, pauses and steps a training run in the background, with at most one task at a time."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Protocol, TypeVar

from ..model.scenario.view_settings import Pace
from .pace import Schedule
from .training_queue import TrainingQueue
from .training_run import TrainingRun

T = TypeVar("T")

clock, sleep = time.perf_counter, asyncio.sleep  # replaced by tests

# Training time between two updates of the page: about 30 updates a second, including drawing.
SLICE_SECONDS = 0.02
# If an update of the page takes longer than `TURN`, slices are longer by the same factor, but at
# most `LONGEST`.
TURN, LONGEST = 0.003, 0.16
QUEUE_POLL_SECONDS = 0.2
# A training run that is shown slowly leaves the queue between short slices; a wait for its next
# turn is reported only after this time.
PATIENCE_SECONDS, PATIENT_POLL_SECONDS = 1.0, 0.02
FRAME_SECONDS = 1 / 30  # minimum time between two updates of a slowly shown run
NAP_SECONDS = 0.1  # interval at which a run that waits for its next step checks for a pause


def at_full_speed() -> Pace:
    """Return the default pace, for a training run that is not shown step by step."""
    return "full"


class RunInThread(Protocol):
    """Runs a function in a thread and returns its result."""

    def __call__(self, function: Callable[[], T], /) -> Awaitable[T]: ...


@dataclass(frozen=True)
class Environment:
    """The services that a training run needs from its host."""

    queue: TrainingQueue  # limits the number of simultaneous training runs
    run_in_thread: RunInThread
    # Changes the page outside of its events, and returns after the change.
    on_page: Callable[[Callable[[], None]], Awaitable[None]]
    # Returns a context that is active while a run is in progress.
    tuned_for_training: Callable[[], AbstractContextManager[None]]
    has_viewers: Callable[[], bool]  # whether a browser shows the page
    person: str = ""  # identifies the user, if known


class TrainingController:
    """Computes a training run in slices while a browser watches; updates the page after each slice.

    A run joins the queue when it is played, as does a single step. It leaves the queue after the
    slice in which it is paused, done, or no longer watched. A run shown at a slower pace leaves the
    queue after each slice, so that other runs can continue meanwhile.
    """

    def __init__(
        self,
        environment: Environment,
        *,
        on_slice: Callable[[], None],
        on_page: Callable[[], None],
    ) -> None:
        """Create a controller without a run.

        ``on_slice`` is called in the thread after each slice, to compute the data to show, and
        ``on_page`` on the page when there is something new to show.
        """
        self.ahead = 0  # training runs ahead of this one while it waits
        # The times at which the steps of the shown run are due; None at full speed.
        self.schedule: Schedule | None = None
        self._environment = environment
        self._on_slice = on_slice
        self._on_page = on_page
        self._is_playing = False
        self._is_closed = False
        self._slice = SLICE_SECONDS
        self._played: tuple[TrainingRun, int | None, Callable[[], Pace]] | None = None
        self._task: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()  # only one thread may use a run
        self._stepping = asyncio.Lock()  # only one requested step waits at a time
        self._dropped = 0  # number of times that the requested steps were discarded

    @property
    def is_active(self) -> bool:
        """Whether a run is in progress or waits in the queue."""
        return self.is_playing or self.ahead > 0

    @property
    def is_playing(self) -> bool:
        """Whether a run is in progress or waits in the queue, other than for a single step."""
        return self._is_playing and self._task is not None

    @property
    def is_busy(self) -> bool:
        """Whether the run is about to change: it is active, or takes a single step."""
        return self.is_active or self._stepping.locked()

    def play(
        self,
        run: TrainingRun,
        until: int | None = None,
        pace: Callable[[], Pace] = at_full_speed,
    ) -> None:
        """Continue a run as soon as the queue admits it, up to a step; None for the last step.

        ``pace`` returns the pace at which the run is shown, which may change.
        """
        if run.can_continue and not self.is_active:
            self._is_playing = True
            self._played = run, until, pace
            self._task = asyncio.get_running_loop().create_task(self._play(run, until, pace))

    def resume(self) -> None:
        """Continue the run that was played last, with the same arguments."""
        if self._played is not None:
            self.play(*self._played)

    def pause(self) -> None:
        """Pause after the current slice."""
        self._is_playing = False

    async def stop(self) -> None:
        """Pause, and return once no thread uses the run."""
        self.pause()
        if self._task is not None:
            await asyncio.wait([self._task])

    async def step(self, run: TrainingRun) -> None:
        """Take one step as soon as the queue admits it."""
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
        if not is_wanted():  # the page may still show the step as waiting
            await self._environment.on_page(self._on_page)

    async def last_step(self) -> None:
        """Return once no single step is being taken or waiting."""
        async with self._stepping:
            pass

    def drop_steps(self) -> None:
        """Discard the requested steps that have not started."""
        self._dropped += 1

    async def run_exclusively(self, action: Callable[[], T]) -> T:
        """Run a slow action on the run while no thread uses it."""
        async with self._lock:
            return await self._environment.run_in_thread(action)

    def close(self) -> None:
        """Stop for good: the page is closed."""
        self._is_closed = True
        self.pause()
        if self._task is not None:
            self._task.cancel()

    async def _play(self, run: TrainingRun, until: int | None, pace: Callable[[], Pace]) -> None:
        try:
            while self._goes_on(run, until):
                if pace() == "full":
                    await self._play_at_once(run, until, pace)
                else:
                    await self._play_slowly(run, until, pace)
        finally:
            self._is_playing = False
            self._task = self.schedule = None
            await self._environment.on_page(self._on_page)

    async def _play_at_once(
        self, run: TrainingRun, until: int | None, pace: Callable[[], Pace]
    ) -> None:
        def goes_on() -> bool:
            return self._goes_on(run, until) and pace() == "full"

        async with self._turn(goes_on):
            if goes_on():
                with self._environment.tuned_for_training():
                    while goes_on():
                        run.seconds += await self._advance(run, self._slice, until)

    async def _play_slowly(
        self, run: TrainingRun, until: int | None, pace: Callable[[], Pace]
    ) -> None:
        def goes_on() -> bool:
            return self._goes_on(run, until) and pace() == schedule.pace

        self.schedule = schedule = Schedule(pace(), run.steps, run.step, clock())
        try:
            while goes_on():
                begin = clock()
                goal = min(schedule.due(begin), until or run.steps)
                if goal <= run.step:
                    await sleep(min(max(schedule.wait(run.step, begin), 0.0), NAP_SECONDS))
                    continue
                async with self._turn(goes_on, PATIENCE_SECONDS):
                    if goes_on():
                        with self._environment.tuned_for_training():
                            await self._advance(run, SLICE_SECONDS, goal)
                schedule.keep(run.step, clock())
                await sleep(max(begin + FRAME_SECONDS - clock(), 0.0))
        finally:
            self.schedule = None

    @asynccontextmanager
    async def _turn(
        self, is_wanted: Callable[[], bool], patience: float = 0.0
    ) -> AsyncIterator[None]:
        """Hold a place in the queue, and begin once the training is admitted or no longer wanted.

        The page shows the wait only after ``patience`` seconds.
        """
        ticket = self._environment.queue.enter(self._environment.person)
        said_from = clock() + patience
        try:
            while not ticket.is_admitted and is_wanted():
                if clock() < said_from:
                    await sleep(PATIENT_POLL_SECONDS)
                    continue
                self.ahead = ticket.ahead
                await self._environment.on_page(self._on_page)
                await asyncio.sleep(QUEUE_POLL_SECONDS)
            self.ahead = 0
            yield
        finally:
            ticket.release()
            self.ahead = 0

    async def _advance(self, run: TrainingRun, seconds: float, until: int | None) -> float:
        """Run a slice, show its result, and return the seconds that showing took."""

        def train() -> None:
            if self._is_closed or not self._environment.has_viewers():
                return  # steps requested before the page was closed
            run.advance(seconds, until=until)
            self._on_slice()

        await self.run_exclusively(train)
        begin = clock()
        await self._environment.on_page(self._on_page)
        # Drawing a large model should not take longer than its training.
        drawing = clock() - begin
        self._slice = min(SLICE_SECONDS * max(1.0, drawing / TURN), LONGEST)
        return drawing

    def _goes_on(self, run: TrainingRun, until: int | None) -> bool:
        is_there = not run.can_continue or run.step == until
        return self._is_playing and not is_there and self._environment.has_viewers()
