"""Work beside the page of which only the last that was begun counts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from .concurrency import BackgroundTasks, run_in_thread
from .page_session import PageSession

T = TypeVar("T")


class Latest:
    """One thing that is made in a thread, again and again; what is overtaken is never shown."""

    def __init__(self, page: PageSession) -> None:
        self._page = page
        self._tasks = BackgroundTasks()
        self._run = 0
        self._next: Callable[[], None] | None = None
        self._is_busy = False

    def forget(self) -> None:
        """Nothing that was begun is to be shown."""
        self._run += 1
        self._next = None

    def make(self, make: Callable[[], T], show: Callable[[T], None]) -> bool:
        """Make something and show it.

        Where there is no event loop, in a program or a test, it is shown at once.

        Returns:
            Whether it is shown later.
        """
        self.forget()
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            show(make())
            return False
        run = self._run
        self._next = lambda: self._tasks.start(self._make(make, show, run))
        self._begin()
        return True

    def _begin(self) -> None:
        """One at a time: what is asked for meanwhile waits, and only the last of it."""
        if self._next is not None and not self._is_busy:
            begin, self._next, self._is_busy = self._next, None, True
            begin()

    async def _make(self, make: Callable[[], T], show: Callable[[T], None], run: int) -> None:
        try:
            made = await run_in_thread(make)
            if run == self._run:
                await self._page.turn(lambda: show(made))
        finally:
            self._is_busy = False
            self._begin()
