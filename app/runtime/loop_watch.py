"""One short line for each event that keeps all pages of a process waiting.

A server answers all pages in one thread, one event after the other. What asyncio has for this
(its debug mode) makes every event several times as long; this measures two times for each.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from typing import Any

from .limits import SLOW
from .wrapping import Method, wrap_once

LONGEST = 120  # letters of a line that say what it was

_LOG = logging.getLogger(__name__)


def watch_loop() -> None:
    """Tell of slow events from now on, if the owner of this process asks for it.

    Raises:
        ValueError: the environment asks for something else than a whole number from 1.
    """
    most = SLOW.value()
    if most is None or sys.platform == "emscripten":
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
    """What was called: of a task its coroutine, else the function."""
    callback = handle._callback  # None once it is canceled
    owner = getattr(callback, "__self__", None)
    if isinstance(owner, asyncio.Task):
        callback = owner.get_coro()
    while hasattr(callback, "func"):
        callback = callback.func
    return str(getattr(callback, "__qualname__", type(callback).__name__))
