"""Runs threads and tasks on a server, and their substitutes in the browser, which has one thread.

All sessions of a process share the threads of this module.
"""

import asyncio
import functools
import os
import sys
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from transformer_math.training.allocator import keep_freed_memory
from transformer_math.training.blas_threads import blas_threads

from ...learning.training_queue import TrainingQueue
from .limits import TRAININGS

T = TypeVar("T")

IN_BROWSER = sys.platform == "emscripten"


_home: ContextVar[asyncio.AbstractEventLoop | None] = ContextVar("_home", default=None)


def event_loop() -> asyncio.AbstractEventLoop | None:
    """Return the event loop for tasks that begin here; None in a program without a loop.

    The loop runs in this thread, or was given to `at_home`.
    """
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        home = _home.get()
        return home if home is not None and home.is_running() else None


@contextmanager
def at_home(loop: asyncio.AbstractEventLoop | None) -> Iterator[None]:
    """Within the context, start tasks on this loop if no loop runs in this thread."""
    token = _home.set(loop)
    try:
        yield
    finally:
        _home.reset(token)


def call_on(loop: asyncio.AbstractEventLoop, function: Callable[[], None]) -> None:
    """Call a function now if the loop runs in this thread, or else soon, in the loop's thread."""
    if asyncio._get_running_loop() is loop:
        function()
    else:
        loop.call_soon_threadsafe(function)


def cpu_count() -> int:
    """Return the number of processors that this process may use; 1 in the browser."""
    if IN_BROWSER:
        return 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


async def run_in_thread(function: Callable[[], T]) -> T:
    """Run a function without blocking the other sessions, and return its result.

    On a server the function runs in a thread. In the browser, which has no threads, it is called
    directly, and the event loop runs once afterward.
    """
    if not IN_BROWSER:
        return await asyncio.get_running_loop().run_in_executor(_workers(), function)
    result = function()
    await asyncio.sleep(0)
    return result


async def run_large(function: Callable[[], T]) -> T:
    """Run a job that needs much time and memory, and return its result; one at a time per process.

    These jobs have a separate thread, so that training runs and short jobs do not wait for them.
    """
    if IN_BROWSER:
        return await run_in_thread(function)
    return await asyncio.get_running_loop().run_in_executor(_large_worker(), function)


@functools.cache
def training_queue() -> TrainingQueue:
    """Return the queue that all training runs of this process share."""
    return TrainingQueue(TRAININGS.value() or cpu_count())


@contextmanager
def tuned_for_training() -> Iterator[None]:
    """During training, keep freed memory in the process and run BLAS in a single thread."""
    _tune_process()
    with blas_threads().one():
        yield


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Run many small matrix products in the calling thread only."""
    with blas_threads().one():
        yield


@functools.cache
def _workers() -> ThreadPoolExecutor:
    # A page may load a file or return to an earlier step while another page trains.
    return ThreadPoolExecutor(training_queue().slots + 2, "tinkerformer")


@functools.cache
def _large_worker() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, "tinkerformer-large")


@functools.cache
def _tune_process() -> None:
    """Before the first training, keep freed memory and switch between threads more often.

    A thread that is ready to run Python waits for up to the switch interval. With 1 ms instead of
    the default 5 ms, other pages respond twice as fast during training.
    """
    keep_freed_memory()
    sys.setswitchinterval(0.001)


class BackgroundTasks:
    """Keeps references to running tasks, so that they are not garbage collected too early."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[object]] = set()

    def start(self, work: Coroutine[Any, Any, object]) -> None:
        """Start a coroutine as a task; a program without an event loop waits until it is done."""
        loop = event_loop()
        if loop is None:
            asyncio.run(work)
        else:
            call_on(loop, functools.partial(self._start, work))

    def _start(self, work: Coroutine[Any, Any, object]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
