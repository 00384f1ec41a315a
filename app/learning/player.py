"""Play, pause and step of a run, beside the page: one task at a time, none left behind. Pure."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from enum import Enum
from typing import Any

from .queue import Queue
from .run import Run

SLICE = 0.16  # seconds of training between two looks at it
PATIENCE = 0.2  # seconds between two looks at the queue


class State(Enum):
    """What a run is doing."""

    READY = "ready"
    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    DONE = "done"
    DIVERGED = "diverged"


class Player:
    """Lets a run go on in slices while somebody watches.

    A training takes its turn in the queue when it is played and gives it up when it is paused,
    over, or no longer watched, after the slice under way at the latest.

    Attributes:
        run: what is played; another one is taken by ``load``.
        before: while it waits, how many trainings came earlier.
    """

    def __init__(
        self,
        run: Run,
        *,
        queue: Queue,
        off_loop: Callable[..., Awaitable[Any]],
        training: Callable[[], AbstractContextManager[None]],
        is_watched: Callable[[], bool],
        look: Callable[[], None],
        tell: Callable[[], None],
    ) -> None:
        """A player of a run.

        Args:
            run: what to play first.
            queue: where trainings take turns.
            off_loop: runs a function without holding up the page.
            training: entered while a run goes on.
            is_watched: whether somebody still looks.
            look: called off the loop after each slice, to compute what is shown.
            tell: called when there is something new to show.
        """
        self.run = run
        self.before = 0
        self._queue = queue
        self._off_loop = off_loop
        self._training = training
        self._is_watched = is_watched
        self._look = look
        self._tell = tell
        self._wanted = False
        self._task: asyncio.Task[None] | None = None
        self._busy = asyncio.Lock()  # the run is used by one thread at a time

    @property
    def state(self) -> State:
        """What the run is doing now."""
        if self._wanted and self._task is not None:
            return State.WAITING if self.before else State.RUNNING
        if self.run.problem:
            return State.DIVERGED
        if not self.run.goes_on:
            return State.DONE
        return State.PAUSED if self.run.step > self.run.history.start else State.READY

    @property
    def is_active(self) -> bool:
        """Whether a task of this player is there."""
        return self._task is not None

    def play(self) -> None:
        """Go on, as soon as it is this run's turn."""
        if not self.run.goes_on:
            return
        self._wanted = True
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._play())

    def pause(self) -> None:
        """Hold after the slice under way."""
        self._wanted = False

    async def once(self, action: Callable[[], Any]) -> Any:
        """Do something with the run that takes its time: one step, a check, a look back."""
        async with self._busy:
            return await self._off_loop(action)

    async def load(self, run: Run) -> None:
        """Play another run from now on; it waits to be played."""
        self.pause()
        if self._task is not None:
            await asyncio.wait([self._task])
        async with self._busy:
            self.run = run

    def close(self) -> None:
        """Nobody comes back to this run."""
        self.pause()
        if self._task is not None:
            self._task.cancel()

    async def _play(self) -> None:
        turn = self._queue.enter()
        try:
            while not turn.has_come and self._goes_on():
                self.before = turn.before
                self._tell()
                await asyncio.sleep(PATIENCE)
            self.before = 0
            if self._goes_on():
                with self._training():
                    while self._goes_on():
                        await self.once(self._slice)
                        self._tell()
        finally:
            turn.end()
            self.before = 0
            self._wanted = False
            self._task = None
            self._tell()

    def _goes_on(self) -> bool:
        return self._wanted and self.run.goes_on and self._is_watched()

    def _slice(self) -> None:
        self.run.advance(SLICE)
        self._look()
