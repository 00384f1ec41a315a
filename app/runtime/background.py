"""Runs a page's long computations in threads, so that they do not block other pages.

``LatestJob`` is for requests of which only the newest matters, ``JobQueue`` for jobs that are all
needed. Results are shown in the page's own turn. Without an event loop, in a program or a test,
everything is computed inline and errors reach the caller.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Hashable, Iterator
from functools import partial
from typing import Any, TypeVar

from .concurrency import BackgroundTasks, call_on, event_loop, run_in_thread, run_large
from .page_session import PageSession

T = TypeVar("T")
Check = Callable[[], None]

FAILED = "This could not be computed: something went wrong in the program."
NO_MEMORY = "This could not be computed: there is not enough memory for it."
TOO_MANY = "The page is still at work on what was asked before."
MAX_QUEUED = 8  # waiting and running jobs of one page

_LOG = logging.getLogger(__name__)


class Canceled(Exception):
    """The job was replaced by a newer request, or the page was closed."""


class _Job:
    """One computation; its callbacks are released when it is canceled."""

    def __init__(
        self,
        compute: Callable[[Check], Any],
        show: Callable[[Any], None],
        fail: Callable[[str], None],
        is_large: bool,
        subject: Hashable = None,
    ) -> None:
        self.show, self.fail, self.is_large, self.subject = show, fail, is_large, subject
        self.has_begun = False  # False while it waits for a free thread
        self._compute: Callable[[Check], Any] | None = compute

    @property
    def is_wanted(self) -> bool:
        return self._compute is not None

    def cancel(self) -> None:
        self._compute = None

    def check(self) -> None:
        """Raise if the job was canceled; called between pieces of the work.

        Raises:
            Canceled: the result is no longer needed.
        """
        if self._compute is None:
            raise Canceled

    def run(self) -> Any:
        self.has_begun = True  # before the check: see ``LatestJob._start_next``
        compute = self._compute
        if compute is None:
            raise Canceled
        return compute(self.check)


class LatestJob:
    """Runs one computation at a time; the result of a replaced one is never shown.

    A newer request, or closing the page, cancels the running computation at its next check.
    """

    def __init__(self, page: PageSession) -> None:
        self._page = page
        self._tasks = BackgroundTasks()
        self._job: _Job | None = None  # running
        self._next: _Job | None = None
        page.on_close(self.cancel)

    def cancel(self) -> None:
        """Cancel the running and the waiting job without showing a result."""
        self._next = None
        if self._job is not None:
            self._job.cancel()

    def run(
        self,
        compute: Callable[[Check], T],
        show: Callable[[T], None],
        fail: Callable[[str], None],
        *,
        inline: bool = False,
        is_large: bool = False,
        subject: Hashable = None,
    ) -> bool:
        """Compute a result and show it.

        Args:
            compute: runs in a thread; its argument is to be called between pieces of the work and
                raises once the result is no longer needed.
            show: takes the result.
            fail: takes a sentence that says why there is no result.
            inline: whether to compute directly on the event loop, because it is cheap.
            is_large: whether it takes long; over all pages one such job runs at a time.
            subject: what the job is about. A request about the subject of the running job waits for
                it instead of canceling it, and only the newest one waits: a model in training
                requests its curve faster than it can be computed.

        Returns:
            Whether the result is shown later.
        """
        if inline or (loop := event_loop()) is None:
            self.cancel()
            show(compute(lambda: None))
            return False
        running = self._job
        waits = (
            subject is not None
            and running is not None
            and running.is_wanted
            and running.subject == subject
        )
        if not waits:
            self.cancel()
        self._next = _Job(compute, show, fail, is_large, subject)
        call_on(loop, self._start_next)
        return True

    def _start_next(self) -> None:
        """Start the waiting job, unless a canceled one still occupies its thread.

        A canceled job whose thread has not started is not waited for: it stops at its first check.
        """
        running = self._job
        is_busy = running is not None and (running.has_begun or running.is_wanted)
        if self._next is not None and not is_busy:
            self._job, self._next = self._next, None
            self._tasks.start(self._run(self._job))

    async def _run(self, job: _Job) -> None:
        try:
            result = await (run_large if job.is_large else run_in_thread)(job.run)
            if job.is_wanted:
                # By the time of its turn the page may have requested something else.
                await self._page.turn(partial(_show, job, result))
        except Canceled:
            pass
        except Exception as error:
            await self._fail(job, error)
        finally:
            self._end(job)

    def stream(
        self,
        steps: Iterator[T],
        show: Callable[[T], None],
        fail: Callable[[str], None],
        *,
        seconds: float,
        is_large: bool = False,
    ) -> None:
        """Show results one by one until the steps end or something else is requested.

        Args:
            steps: each step is computed in a thread; a ValueError carries the sentence for
                ``fail``.
            show: takes each result.
            fail: takes a sentence that says why the steps ended early.
            seconds: the minimum time between two results.
            is_large: whether a step takes long; over all pages one such step runs at a time.
        """
        self.cancel()
        self._job = job = _Job(lambda _check: next(steps, None), show, fail, is_large)
        self._tasks.start(self._stream(job, seconds))

    async def _stream(self, job: _Job, seconds: float) -> None:
        try:
            while job.is_wanted:
                began = time.monotonic()
                result = await (run_large if job.is_large else run_in_thread)(job.run)
                if result is None:
                    return
                await self._page.turn(partial(_show, job, result))
                await asyncio.sleep(max(0.0, began + seconds - time.monotonic()))
        except Canceled:
            pass
        except (KeyError, ValueError) as error:
            await self._say(job, str(error.args[0]))
        except Exception as error:
            await self._fail(job, error)
        finally:
            self._end(job)

    async def _fail(self, job: _Job, error: Exception) -> None:
        _LOG.error("A computation of a page failed.", exc_info=error)
        await self._say(job, NO_MEMORY if isinstance(error, MemoryError) else FAILED)

    async def _say(self, job: _Job, sentence: str) -> None:
        await self._page.turn(lambda: job.fail(sentence) if job.is_wanted else None)

    def _end(self, job: _Job) -> None:
        if self._job is job:
            self._job = None
            self._start_next()


def _show(job: _Job, result: Any) -> None:
    if job.is_wanted:
        job.show(result)


class JobQueue:
    """Runs all jobs of a page, one after another; closing the page drops the rest."""

    def __init__(self, page: PageSession) -> None:
        self._page = page
        self._tasks = BackgroundTasks()
        self._lock = asyncio.Lock()
        self._queued = 0
        self._is_closed = False
        page.on_close(self._close)

    def _close(self) -> None:
        self._is_closed = True

    def __call__(
        self,
        compute: Callable[[], Any],
        show: Callable[[Any], None],
        fail: Callable[[str], None],
    ) -> None:
        """Compute a result in a thread and show it.

        Args:
            compute: its ValueError carries the sentence for ``fail``.
            show: takes the result.
            fail: takes a sentence that says why there is no result.
        """
        if event_loop() is None:
            _outcome(compute, show, fail)()
            return
        if self._queued >= MAX_QUEUED:
            fail(TOO_MANY)
            return
        self._queued += 1
        self._tasks.start(self._run(compute, show, fail))

    async def _run(
        self,
        compute: Callable[[], Any],
        show: Callable[[Any], None],
        fail: Callable[[str], None],
    ) -> None:
        try:
            async with self._lock:
                if self._is_closed:
                    return
                outcome = await run_in_thread(partial(_outcome, compute, show, fail))
                if not self._is_closed:
                    await self._page.turn(outcome)
        finally:
            self._queued -= 1


def _outcome(
    compute: Callable[[], Any], show: Callable[[Any], None], fail: Callable[[str], None]
) -> Callable[[], None]:
    """Run a computation and return a callback that delivers its result or its error."""
    try:
        return partial(show, compute())
    except ValueError as error:
        return partial(fail, str(error))
    except MemoryError:
        return partial(fail, NO_MEMORY)
    except Exception:
        _LOG.exception("A computation of a page failed.")
        return partial(fail, FAILED)
