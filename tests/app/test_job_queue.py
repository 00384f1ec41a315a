import asyncio
import threading

from tinkerformer.components.upload import Later
from tinkerformer.shell.page import create_page
from tinkerformer.transport.port.port_session import PortSession
from tinkerformer.transport.runtime.background import (
    FAILED,
    MAX_QUEUED,
    NO_MEMORY,
    TOO_MANY,
    JobQueue,
)

from tests.app.learner import until


def open_session():
    return PortSession(lambda function: function())


def test_jobs_run_one_after_the_other_in_a_thread():
    threads, shown = [], []

    def make(n):
        threads.append((n, threading.current_thread() is threading.main_thread()))
        return n

    async def script():
        work = JobQueue(open_session())
        for n in range(4):
            work(lambda n=n: make(n), shown.append, shown.append)
        assert not shown
        await until(lambda: len(shown) == 4, 10**7)

    asyncio.run(script())
    assert shown == [0, 1, 2, 3]
    assert threads == [(n, False) for n in range(4)]


def test_an_error_is_reported_and_the_next_job_runs(caplog):
    said, shown = [], []

    def fail(error):
        raise error

    async def script():
        work = JobQueue(open_session())
        for error in (ValueError("Not so."), MemoryError(), KeyError("secret")):
            work(lambda error=error: fail(error), shown.append, said.append)
        work(lambda: 5, shown.append, said.append)
        await until(lambda: shown, 10**7)

    asyncio.run(script())
    assert said == ["Not so.", NO_MEMORY, FAILED]
    assert shown == [5]


def test_the_number_of_waiting_jobs_is_limited_and_those_of_closed_pages_do_not_run():
    begun, goes_on = [], threading.Event()
    said, shown = [], []

    def make():
        begun.append(1)
        assert goes_on.wait(30)

    async def script():
        session = open_session()
        work = JobQueue(session)
        for _ in range(MAX_QUEUED + 3):
            work(make, shown.append, said.append)
        assert said == [TOO_MANY] * 3
        await until(lambda: begun, 10**7)
        session.close()
        goes_on.set()
        await until(lambda: not work._queued, 10**7)

    asyncio.run(script())
    assert (len(begun), shown) == (1, [])


def test_without_an_event_loop_a_job_runs_at_once():
    shown = []
    JobQueue(open_session())(lambda: 3, shown.append, shown.append)
    assert shown == [3]


def test_files_are_written_and_read_in_a_thread(monkeypatch):
    threads, said = [], []
    made = Later.__new__

    def told(cls, make, *rest):
        def makes():
            threads.append(threading.current_thread() is threading.main_thread())
            return make()

        return made(cls, makes, *rest)

    monkeypatch.setattr(Later, "__new__", told)

    async def script():
        page = create_page(open_session())
        (exports,) = [each for each in page.regions["files"] if hasattr(each, "matrix")]
        exports.connect(said.append)
        for n, kind in enumerate(("numpy", "torch", "safetensors", "nothing")):
            exports.receive({"type": "make", "id": n, "kind": kind, "path": None})
        exports.receive({"type": "values", "id": 4, "paths": ["encoder.0.norm"] * 3})
        await until(lambda: len(said) == 5, 10**7)
        (file,) = [each["bytes"] for each in said if each["id"] == 2]
        part = {"name": "a.safetensors", "bytes": file, "first": True}
        exports.receive({"type": "part", "id": 5, **part})
        exports.receive({"type": "open", "id": 6})
        await until(lambda: len(said) == 7, 10**7)
        assert page.state.scenario.weights is not None

    asyncio.run(script())
    assert [each["id"] for each in said] == [3, 0, 1, 2, 4, 5, 6]
    assert "problem" in said[0]
    assert said[-1]["opened"]
    assert threads
    assert not any(threads)
