"""Threads and tasks: on a server, or in the browser, where there is one thread.

No module outside this folder asks which of the two it is. What is here belongs to the process
and is shared by all sessions.
"""

from __future__ import annotations

import asyncio
import functools
import os
import sys
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from transformer_math.training.allocator import keep_freed_memory

from ..learning.training_queue import TrainingQueue
from .blas_threads import BlasThreads
from .limits import TRAININGS

T = TypeVar("T")

IN_BROWSER = sys.platform == "emscripten"


def cpu_count() -> int:
    """How many processors this process may use; in the browser there is one thread."""
    if IN_BROWSER:
        return 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


async def run_in_thread(function: Callable[[], T]) -> T:
    """Run a function without holding up the other sessions, and give what it returns.

    On a server in a thread of its own. In the browser there are none: there it is called at
    once, and the page has its turn after it.
    """
    if not IN_BROWSER:
        return await asyncio.get_running_loop().run_in_executor(_workers(), function)
    result = function()
    await asyncio.sleep(0)
    return result


async def run_large(function: Callable[[], T]) -> T:
    """The same for what takes long and needs much memory: one at a time, of all sessions.

    It has a thread of its own, so that trainings and what is quick do not wait for it.
    """
    if IN_BROWSER:
        return await run_in_thread(function)
    return await asyncio.get_running_loop().run_in_executor(_large_worker(), function)


@functools.cache
def training_queue() -> TrainingQueue:
    """The queue of all trainings of this process.

    Raises:
        ValueError: the environment asks for something else than a whole number from 1.
    """
    return TrainingQueue(TRAININGS.value() or cpu_count())


@contextmanager
def tuned_for_training() -> Iterator[None]:
    """While someone trains: memory that is freed is kept, and BLAS works in one thread."""
    _tune_process()
    with _blas_threads().one():
        yield


@functools.cache
def _workers() -> ThreadPoolExecutor:
    # A paused page may read a file or go back to an earlier step while others train.
    return ThreadPoolExecutor(training_queue().slots + 2, "tinkerformer")


@functools.cache
def _large_worker() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, "tinkerformer-large")


@functools.cache
def _blas_threads() -> BlasThreads:
    return BlasThreads()


@functools.cache
def _tune_process() -> None:
    """Once, before the first training: keep freed memory, and let threads take turns faster.

    A thread that wants to run Python waits for up to the switch interval. At 1 ms instead of
    Python's 5 the page of another session answers twice as fast while somebody trains.
    """
    keep_freed_memory()
    sys.setswitchinterval(0.001)


class BackgroundTasks:
    """Coroutines that were begun by an event and end after it; held on to until they are done."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin what takes its time."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
