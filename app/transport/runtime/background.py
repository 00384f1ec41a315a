"""Runs a page's long jobs in a thread, one after another, so that they do not block other pages.

Every job of a queue is run; see ``derived`` for results of which only the newest matters. Results
are shown in a turn of the page. Without an event loop, in a program or a test, each job runs
immediately in the calling thread.
"""

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from .concurrency import BackgroundTasks, event_loop, run_in_thread
from .page_session import PageSession

FAILED = "This could not be computed, because of an error in the program."
NO_MEMORY = "This could not be computed: there is not enough memory for it."
TOO_MANY = "The page is still busy with an earlier request."
MAX_QUEUED = 8  # waiting and running jobs of one page

_LOG = logging.getLogger(__name__)


class JobQueue:
    """Runs all jobs of a page, one after another; closing the page drops the waiting jobs."""

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

        If this fails, call ``fail`` with a sentence, which is the message of a ``ValueError``.
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
