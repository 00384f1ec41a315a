"""Computes slow results in the background; meanwhile an earlier result is shown as outdated.

Results are shown between two events of the page, not while an event is handled. Without an event
loop, in a program or a test, each result is computed immediately in the calling thread.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from .background import FAILED, NO_MEMORY
from .concurrency import BackgroundTasks, call_on, event_loop, run_in_thread, run_large
from .page_session import PageSession

T = TypeVar("T")
Check = Callable[[], None]

# The cost of a computation: a "cheap" job runs immediately, a "slow" job in a thread; of all
# "large" jobs of the process, only one runs at a time.
Cost = Literal["cheap", "slow", "large"]
Status = Literal["none", "pending", "ready", "outdated", "failed"]

COMPUTING = "Computing …"
COMPUTING_AGAIN = "Computing again after the last change …"
OUTDATED = "From before the last change."
REFRESH_SECONDS = 1 / 30  # the minimum time between two results of a stream

_LOG = logging.getLogger(__name__)
_NOTHING = object()  # the key while there is no value
_END = object()  # after the last step of a stream


class Canceled(Exception):
    """The result is no longer needed: another result was requested, or the page was closed."""


class Result(NamedTuple, Generic[T]):
    """The state of a result.

    Attributes:
        status: "none" if nothing is wanted or computed; "pending" if it is being computed;
            "ready"; "outdated" if ``value`` belongs to an earlier key; "failed" if the computation
            for the wanted key failed.
        value: the result for ``key``; None if there is none.
        key: the key of the value.
        note: a sentence on what is pending or has failed; else empty.
        is_offered: whether the user can request the result, at first or again after an error.
    """

    status: Status = "none"
    value: T | None = None
    key: Any = None
    note: str = ""
    is_offered: bool = False

    @property
    def pending(self) -> str:
        """The note on an outdated value that is still shown; empty if none is."""
        if self.status == "failed":
            return OUTDATED if self.value is not None else ""
        return self.note if self.status == "outdated" else ""

    @property
    def said(self) -> str:
        """The note that is shown instead of a value, while it is computed or after a failure."""
        return "" if self.status == "outdated" else self.note


class _Job(Generic[T]):
    """One computation; its functions are released when it is canceled."""

    def __init__(self, key: object, compute: Callable[[Check], T], cost: Cost) -> None:
        self.key, self.cost = key, cost
        self.is_stream = False
        self.has_begun = False  # False while the job waits for a free thread
        self._compute: Callable[[Check], T] | None = compute

    @property
    def is_wanted(self) -> bool:
        return self._compute is not None

    def cancel(self) -> None:
        self._compute = None

    def check(self) -> None:
        """Raise `Canceled` if the result is no longer needed; called between pieces of work."""
        if self._compute is None:
            raise Canceled

    def run(self) -> T:
        self.has_begun = True  # before the check: see ``Derived._start_next``
        compute = self._compute
        if compute is None:
            raise Canceled
        return compute(self.check)


class Derived(Generic[T]):
    """One result of a page that depends on a key, and is computed when the key changes.

    A view calls ``want`` at each drawing. At most one computation runs; a changed key or the end of
    the page cancels it at its next check.
    """

    def __init__(self, page: PageSession, show: Callable[[], None]) -> None:
        """Call ``show`` in a turn of the page after a computation has finished or failed."""
        self._page, self._show = page, show
        self._tasks = BackgroundTasks()
        self._running: _Job[Any] | None = None
        self._next: _Job[Any] | None = None
        self.drop()
        page.on_close(self.drop)

    def drop(self) -> None:
        """Forget the result, and request none."""
        self.stop()
        self._subject: object = None
        self._wanted: object = _NOTHING
        self._value: T | None = None
        self._value_key: object = _NOTHING
        self._failed: object = _NOTHING
        self._why, self._may_retry = "", False
        self._asked: object = _NOTHING
        self._is_offered = False

    def stop(self) -> None:
        """Cancel the computation, and keep the last result."""
        self._next = None
        if self._running is not None:
            self._running.cancel()

    def want(
        self,
        key: object,
        compute: Callable[[Check], T],
        cost: Cost = "slow",
        *,
        subject: object = None,
        finishes: bool = False,
        on_request: bool = False,
    ) -> Result[T]:
        """Request the result for a key, and return its present state.

        Args:
            key: everything that the result depends on.
            compute: computes the result, usually in a thread. Between pieces of the work it calls
                its argument, a function that raises once the result is no longer needed.
                It raises ``ValueError`` with a sentence if there is no result.
            cost: the cost of the computation.
            subject: the subject of the result, such as a model. A result for another subject is
                never returned, not even as outdated.
            finishes: whether a running computation about the same subject is finished first,
                because a model in training changes faster than its curve can be computed.
            on_request: whether the result is computed only after ``ask``.
        """
        if self._is_known(key, subject):
            return self.result
        self._is_offered = on_request and key != self._asked
        if self._is_offered:
            self.stop()
        elif cost == "cheap" or (loop := event_loop()) is None:
            self.stop()
            self._compute_now(key, compute)
        else:
            self._begin(loop, _Job(key, compute, cost), finishes=finishes)
        return self.result

    def stream(self, key: object, steps: Iterator[T], cost: Cost) -> Result[T]:
        """Request a sequence of results, each of which replaces the previous result.

        Each step is computed in a thread; ``cost`` is that of one step.
        """
        if not self._is_known(key, None):
            job: _Job[Any] = _Job(key, lambda _check: next(steps, _END), cost)
            job.is_stream = True
            if (loop := event_loop()) is None:
                self.stop()
                self._running = job
                self._tasks.start(self._run(job))
            else:
                self._begin(loop, job, finishes=False)
        return self.result

    def ask(self) -> None:
        """Allow the computation of the wanted result, and call ``show``, which calls ``want``."""
        self._asked, self._failed = self._wanted, _NOTHING
        self._show()

    @property
    def result(self) -> Result[T]:
        """The state of the last requested result."""
        if self._wanted is _NOTHING:
            return Result()
        has_value = self._value_key is not _NOTHING
        found = (self._value, self._value_key) if has_value else (None, None)
        if has_value and self._value_key == self._wanted:
            return Result("ready", *found)
        if self._failed == self._wanted:
            return Result("failed", *found, self._why, self._may_retry)
        if has_value:
            note = OUTDATED if self._is_offered else COMPUTING_AGAIN
            return Result("outdated", *found, note, self._is_offered)
        if self._is_offered:
            return Result("none", is_offered=True)
        return Result("pending", note=COMPUTING)

    # -- one computation at a time -----------------------------------------------------------------

    def _is_known(self, key: object, subject: object) -> bool:
        """Return whether the result for a key is present, being computed, or known to fail."""
        if subject != self._subject:
            self.drop()
            self._subject = subject
        self._wanted, self._is_offered = key, False
        newest = self._next or self._running
        if newest is not None and newest.is_wanted and newest.key == key:
            return True
        is_known = key in (self._value_key, self._failed)
        if is_known:
            self.stop()
        return is_known

    def _compute_now(self, key: object, compute: Callable[[Check], T]) -> None:
        try:
            self._value, self._value_key = compute(lambda: None), key
        except ValueError as error:
            self._failed, self._why, self._may_retry = key, str(error), False

    def _begin(self, loop: asyncio.AbstractEventLoop, job: _Job[T], *, finishes: bool) -> None:
        if not finishes:
            self.stop()
        self._next = job
        call_on(loop, self._start_next)

    def _start_next(self) -> None:
        """Start the waiting job, unless a canceled job still occupies its thread.

        Do not wait for a canceled job without a thread, which stops when it begins.
        """
        running = self._running
        is_busy = running is not None and (running.has_begun or running.is_wanted)
        if self._next is not None and not is_busy:
            self._running, self._next = self._next, None
            self._tasks.start(self._run(self._running))

    async def _run(self, job: _Job[T]) -> None:
        try:
            while True:
                began = time.monotonic()
                found = await (run_large if job.cost == "large" else run_in_thread)(job.run)
                if found is _END:
                    return
                # Meanwhile, the page may have requested another result.
                await self._page.turn(partial(self._take, job, found))
                if not job.is_stream:
                    return
                await asyncio.sleep(max(0.0, began + REFRESH_SECONDS - time.monotonic()))
        except Canceled:
            pass
        except Exception as error:
            await self._page.turn(partial(self._fail, job, error))
        finally:
            if self._running is job:
                self._running = None
                self._start_next()

    def _take(self, job: _Job[T], found: T) -> None:
        if job.is_wanted:
            self._value, self._value_key = found, job.key
            self._show()

    def _fail(self, job: _Job[T], error: Exception) -> None:
        if job.is_wanted:
            self._failed, self._may_retry = job.key, not isinstance(error, ValueError)
            self._why = _sentence(error)
            job.cancel()  # so that a request during ``show`` does not wait for this job
            self._show()


def _sentence(error: Exception) -> str:
    """Return a sentence on why a computation failed; errors other than ValueError are logged."""
    if isinstance(error, ValueError):
        return str(error)
    _LOG.error("A computation of a page failed.", exc_info=error)
    return NO_MEMORY if isinstance(error, MemoryError) else FAILED
