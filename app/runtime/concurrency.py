"""Which world the page lives in: served by Python with threads, or in the browser alone.

No other module asks. What is here belongs to the process and is shared by all visitors.
"""

from __future__ import annotations

import asyncio
import functools
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from bokeh.document import Document

from transformer_math.training.allocator import keep_freed_memory

from ..learning.queue import Queue
from .blas_threads import BlasThreads

T = TypeVar("T")

IN_BROWSER = sys.platform == "emscripten"
MOST_TRAININGS = "TINKERFORMER_MAX_TRAININGS"


def cores() -> int:
    """How many processors this process may use; in the browser there is one thread."""
    if IN_BROWSER:
        return 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


async def off_loop(function: Callable[..., T], *args: Any) -> T:
    """Run a function without holding up the other visitors, and give what it returns.

    On a server in a thread of its own. In the browser there are none: there it is called at
    once, and the page has its turn after it.
    """
    if not IN_BROWSER:
        return await asyncio.get_running_loop().run_in_executor(_workers(), function, *args)
    result = function(*args)
    await asyncio.sleep(0)
    return result


@functools.cache
def trainings() -> Queue:
    """The queue of all trainings of this process.

    Raises:
        ValueError: the environment asks for something else than a whole number from 1.
    """
    asked = os.environ.get(MOST_TRAININGS, "").strip() or str(cores())
    if not asked.isdecimal() or int(asked) < 1:
        raise ValueError(f"{MOST_TRAININGS} is a whole number from 1, not {asked!r}.")
    return Queue(int(asked))


@contextmanager
def training() -> Iterator[None]:
    """While someone trains: memory that is freed is kept, and BLAS works in one thread."""
    _prepare()
    with _blas_threads().one():
        yield


def is_watched(doc: Document | None) -> bool:
    """Whether a browser still shows this page; a page that runs in the browser always is."""
    session = getattr(getattr(doc, "session_context", None), "session", None)
    return session is None or session.connection_count > 0


def in_turn(doc: Document | None, function: Callable[[], None]) -> None:
    """Change the page from outside an event: when the document is free."""
    if IN_BROWSER or doc is None:
        function()
    else:
        doc.add_next_tick_callback(function)


@functools.cache
def _workers() -> ThreadPoolExecutor:
    # A paused page may read a file or look at an earlier step while others train.
    return ThreadPoolExecutor(trainings().most + 2, "tinkerformer")


@functools.cache
def _blas_threads() -> BlasThreads:
    return BlasThreads()


@functools.cache
def _prepare() -> None:
    """Once, before the first training: keep freed memory, and let threads take turns faster.

    A thread that wants to run Python waits for up to the switch interval. At 1 ms instead of
    Python's 5 the page of another visitor answers twice as fast while somebody trains.
    """
    keep_freed_memory()
    sys.setswitchinterval(0.001)
