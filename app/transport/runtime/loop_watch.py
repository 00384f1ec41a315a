"""Logs each event that blocks the event loop, and thereby all pages of a process, for too long.

A server handles the events of all pages in one thread. The debug mode of asyncio measures the time
of each event, too, but takes several times as long; this module takes two timestamps per event.
"""

import asyncio
import logging
import time
from typing import Any

from .limits import SLOW
from .wrapping import Method, wrap_once

LONGEST = 120  # characters of the event's name in a log line

_LOG = logging.getLogger(__name__)


def watch_loop() -> None:
    """Log slow events from now on, if the owner of this process has set a limit."""
    most = SLOW.value()
    if most is None:
        return

    def measured(run: Method) -> Method:
        def _run(self: Any) -> None:
            begin = time.perf_counter()
            run(self)
            taken = 1000 * (time.perf_counter() - begin)
            if taken > most:
                _LOG.warning("All pages waited %.0f ms for %.*s", taken, LONGEST, _name(self))

        return _run

    wrap_once(asyncio.Handle, "_run", measured)


def _name(handle: Any) -> str:
    """Return the name of the coroutine of a task, or else of the function that was called."""
    callback = handle._callback  # None once the handle is canceled
    owner = getattr(callback, "__self__", None)
    if isinstance(owner, asyncio.Task):
        callback = owner.get_coro()
    while hasattr(callback, "func"):
        callback = callback.func
    return str(getattr(callback, "__qualname__", type(callback).__name__))
