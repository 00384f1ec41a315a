"""Work beside the page of which only the last that was begun counts."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, TypeVar

from .concurrency import BackgroundTasks, run_in_thread, run_large
from .page_session import PageSession

T = TypeVar("T")
GoOn = Callable[[], None]

FAILED = "This could not be computed: something went wrong in the program."
NO_MEMORY = "This could not be computed: there is not enough memory for it."
_LOG = logging.getLogger(__name__)


class Overtaken(Exception):
    """Something else is asked for meanwhile, or the page has gone."""


class _Job:
    """One thing to make; what it needs is let go of as soon as nobody wants it."""

    def __init__(
        self,
        make: Callable[[GoOn], Any],
        show: Callable[[Any], None],
        fail: Callable[[str], None],
        is_large: bool,
    ) -> None:
        self.show, self.fail, self.is_large = show, fail, is_large
        self.has_begun = False  # in its thread, where it may wait for one
        self._make: Callable[[GoOn], Any] | None = make

    @property
    def is_wanted(self) -> bool:
        return self._make is not None

    def overtake(self) -> None:
        self._make = None

    def check(self) -> None:
        """Called between pieces of the work.

        Raises:
            Overtaken: the rest of it is not wanted.
        """
        if self._make is None:
            raise Overtaken

    def run(self) -> Any:
        self.has_begun = True  # before it is asked for: see ``Latest._begin``
        make = self._make
        if make is None:
            raise Overtaken
        return make(self.check)


class Latest:
    """One thing that is made in a thread, again and again; what is overtaken is never shown.

    What is overtaken ends at its next piece, and so does what a page waited for that has gone.
    """

    def __init__(self, page: PageSession) -> None:
        self._page = page
        self._tasks = BackgroundTasks()
        self._job: _Job | None = None  # under way
        self._next: _Job | None = None
        page.on_close(self.forget)

    def forget(self) -> None:
        """Nothing that was begun is to be shown."""
        self._next = None
        if self._job is not None:
            self._job.overtake()

    def make(
        self,
        make: Callable[[GoOn], T],
        show: Callable[[T], None],
        fail: Callable[[str], None],
        *,
        is_large: bool = False,
    ) -> bool:
        """Make something and show it.

        Where there is no event loop, in a program or a test, it is shown at once, and an error is
        the caller's.

        Args:
            make: in a thread; calls what it is given between pieces of its work.
            show: what was made.
            fail: says why nothing was, a sentence.
            is_large: it takes long: one such thing is made at a time, of all pages.

        Returns:
            Whether it is shown later.
        """
        self.forget()
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            show(make(lambda: None))
            return False
        self._next = _Job(make, show, fail, is_large)
        self._begin()
        return True

    def _begin(self) -> None:
        """One at a time: what is asked for meanwhile waits, and only the last of it.

        What is overtaken before its thread has begun is not waited for: it will find that it is.
        """
        is_busy = self._job is not None and self._job.has_begun
        if self._next is not None and not is_busy:
            self._job, self._next = self._next, None
            self._tasks.start(self._make(self._job))

    async def _make(self, job: _Job) -> None:
        try:
            made = await (run_large if job.is_large else run_in_thread)(job.run)
            if job.is_wanted:
                # The page may be busy until then, and want something else after.
                await self._page.turn(lambda: job.show(made) if job.is_wanted else None)
        except Overtaken:
            pass
        except Exception as error:
            _LOG.exception("Work beside the page failed.")
            if job.is_wanted:
                said = NO_MEMORY if isinstance(error, MemoryError) else FAILED
                await self._page.turn(lambda: job.fail(said) if job.is_wanted else None)
        finally:
            if self._job is job:
                self._job = None
                self._begin()
