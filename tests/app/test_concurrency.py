import asyncio
import threading
import time

import pytest
from tinkerformer.transport.runtime import concurrency, limits

from transformer_math.training import blas_threads
from transformer_math.training.blas_threads import BlasThreads


@pytest.fixture
def fresh(monkeypatch):
    """Start with an empty queue, as a new process does."""
    concurrency.training_queue.cache_clear()
    yield monkeypatch
    concurrency.training_queue.cache_clear()


def test_by_default_as_many_trainings_run_at_once_as_there_are_processors(fresh):
    fresh.delenv(limits.TRAININGS.variable, raising=False)
    assert concurrency.training_queue().slots == concurrency.cpu_count() >= 1
    assert concurrency.training_queue() is concurrency.training_queue()


def test_an_environment_variable_limits_the_trainings_at_once(fresh):
    fresh.setenv(limits.TRAININGS.variable, "3")
    assert concurrency.training_queue().slots == 3


@pytest.mark.parametrize("wrong", ["0", "-1", "many", "1.5"])
def test_an_invalid_limit_of_trainings_is_refused(fresh, wrong):
    fresh.setenv(limits.TRAININGS.variable, wrong)
    with pytest.raises(ValueError, match="TINKERFORMER_MAX_TRAININGS is a whole number from 1"):
        concurrency.training_queue()


def test_the_event_loop_continues_while_a_thread_works():
    async def work():
        beats = 0

        async def beat():
            nonlocal beats
            while True:
                beats += 1
                await asyncio.sleep(0.01)

        heart = asyncio.create_task(beat())
        where = await concurrency.run_in_thread(
            lambda: (time.sleep(0.2), threading.current_thread(), 7)
        )
        heart.cancel()
        return beats, where[1], where[2]

    beats, thread, given = asyncio.run(work())
    assert beats > 5
    assert thread is not threading.main_thread()
    assert given == 7


def test_in_the_browser_a_function_runs_at_once_and_in_the_main_thread(monkeypatch):
    monkeypatch.setattr(concurrency, "IN_BROWSER", True)
    where = asyncio.run(concurrency.run_in_thread(threading.current_thread))
    assert where is threading.main_thread()
    assert concurrency.cpu_count() == 1


def test_an_error_in_a_thread_is_raised_where_the_function_was_called():
    with pytest.raises(ZeroDivisionError):
        asyncio.run(concurrency.run_in_thread(lambda: 1 / 0))


def test_matrix_products_take_one_thread_until_the_last_training_is_over():
    threads = BlasThreads()
    before = threads.count
    if before is None:
        pytest.skip("NumPy has another library here.")
    with threads.one():
        assert threads.count == 1
        with threads.one():
            assert threads.count == 1
        assert threads.count == 1
    assert threads.count == before


def test_without_openblas_the_number_of_threads_is_unknown_and_unchanged(monkeypatch):
    monkeypatch.setattr(blas_threads, "libraries", lambda: ["/nowhere/libopenblas.so"])
    threads = BlasThreads()
    assert threads.count is None
    with threads.one():
        pass
