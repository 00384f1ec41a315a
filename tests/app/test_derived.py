import asyncio
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tinkerformer.transport.runtime import derived
from tinkerformer.transport.runtime.background import FAILED, NO_MEMORY
from tinkerformer.transport.runtime.derived import (
    COMPUTING_AGAIN,
    OUTDATED,
    Canceled,
    Derived,
    Result,
)
from tinkerformer.transport.runtime.page_session import PageSession


class ClosingPage(PageSession):
    """A page session that a test can close."""

    def __init__(self):
        super().__init__()
        self.close = lambda: None

    def on_close(self, function):
        self.close = function


class Threads:
    """Threads whose functions start and end when the test decides."""

    def __init__(self):
        self.waiting, self.begun = [], []

    async def run(self, function):
        ended = asyncio.get_running_loop().create_future()
        self.waiting.append((function, ended))
        return await ended

    def begin(self):
        if not self.waiting:
            return
        function, ended = self.waiting.pop(0)
        try:
            self.begun.append((ended.set_result, function()))
        except Exception as error:
            self.begun.append((ended.set_exception, error))

    def end(self):
        if self.begun:
            finish, outcome = self.begun.pop(0)
            finish(outcome)


class View:
    """A view that draws a derived result, as the page's views do."""

    def __init__(self, threads):
        self.page, self.threads = ClosingPage(), threads
        self.derived = Derived(self.page, self.draw)
        self.key, self.subject, self.options = 0, "model", {}
        self.fails, self.is_closed = False, False
        self.shown = Result()

    def draw(self):
        assert not self.is_closed
        key, subject, fails = self.key, self.subject, self.fails

        def compute(_check):
            if fails:
                raise ValueError(f"{key} fails.")
            return subject, key

        self.shown = self.derived.want(key, compute, subject=subject, **self.options)

    def close(self):
        self.page.close()
        self.is_closed = True


ACTIONS = st.one_of(
    st.tuples(
        st.just("want"),
        st.integers(0, 2),
        st.sampled_from(["model", "model", "other"]),
        st.sampled_from([{}, {"finishes": True}, {"finishes": True}, {"on_request": True}]),
        st.sampled_from([False, False, True]),
    ),
    st.sampled_from([("begin",), ("end",), ("begin",), ("end",), ("ask",), ("stop",)]),
)


def act(view, name, *given):
    if name == "want":
        view.key, view.subject, view.options, view.fails = given
        view.draw()
    elif name == "ask":
        view.derived.ask()
    elif name == "stop":
        view.derived.stop()
    else:
        getattr(view.threads, name)()


def check(view):
    result = view.shown
    if result.value is not None:  # the value belongs to its key and subject
        assert result.value == (view.subject, result.key)
    assert (result.status == "ready") == (result.value == (view.subject, view.key))
    assert bool(result.pending) == (result.value is not None and result.status != "ready")
    if result.status == "failed":
        assert result.note == f"{view.key} fails."
    computing = [outcome for _, outcome in view.threads.begun if not isinstance(outcome, Canceled)]
    wanted = [function for function, _ in view.threads.waiting if function.__self__.is_wanted]
    assert len(computing) + len(wanted) <= 1


async def settle():
    for _ in range(8):
        await asyncio.sleep(0)


@settings(max_examples=600)
@given(st.lists(ACTIONS, min_size=4, max_size=25), st.booleans())
def test_in_any_order_of_events_a_shown_result_belongs_to_its_key(actions, closes):
    threads = Threads()

    async def script():
        view = View(threads)
        view.draw()
        for action in actions:
            act(view, *action)
            await settle()
            check(view)
        if closes:
            view.close()
        else:
            act(view, "want", 0, "model", {}, False)
        await settle()
        while threads.waiting or threads.begun:
            threads.begin()
            threads.end()
            await settle()
        assert view.derived._running is view.derived._next is None
        if closes:
            assert view.derived.result == Result()
            assert not view.derived._tasks._tasks
        elif view.shown.status == "failed":  # a failed result is computed again only on request
            view.derived.ask()
            assert view.shown.status == ("pending" if view.shown.value is None else "outdated")
        else:
            assert view.shown == Result("ready", ("model", 0), 0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(derived, "run_in_thread", threads.run)
        patch.setattr(derived, "run_large", threads.run)
        asyncio.run(script())


async def test_a_cheap_result_is_computed_once_and_shown_at_once():
    shown = []
    found = Derived(PageSession(), lambda: shown.append("later"))
    assert found.want("key", lambda _: 5, "cheap") == Result("ready", 5, "key")
    assert found.want("key", lambda _: 6, "cheap").value == 5
    await settle()
    assert not shown


async def test_an_outdated_result_states_whether_it_is_computed_again():
    found = Derived(PageSession(), lambda: None)
    found.want("old", lambda _: 1, "cheap")
    assert found.want("new", lambda _: 2).pending == COMPUTING_AGAIN
    asked = found.want("large", lambda _: 3, on_request=True)
    assert (asked.value, asked.pending, asked.is_offered) == (1, OUTDATED, True)


async def test_on_request_a_running_computation_ends_before_the_one_of_a_newer_key_starts():
    arrived, go = [], threading.Event()
    found = Derived(PageSession(), lambda: arrived.append(found.result.value))
    found.want(0, lambda _: go.wait(60) and 0, subject="model")
    for key in (1, 2, 3):
        found.want(key, lambda _, key=key: key, subject="model", finishes=True)
    go.set()
    await until(lambda: found.result.status == "ready")
    assert arrived == [0, 3]


async def until(condition):
    for _ in range(6_000):  # long enough for a busy machine
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("The condition has not become true.")


def endless(begun, ended):
    """A computation in many pieces that records its start and its cancellation."""

    def compute(check):
        begun.set()
        try:
            for _ in range(2_000):
                time.sleep(0.005)
                check()
        except Canceled:
            ended.set()
            raise

    return compute


@pytest.mark.parametrize(
    ("error", "said"),
    [(MemoryError(), NO_MEMORY), (KeyError(), FAILED), (ValueError("No word."), "No word.")],
)
async def test_an_error_is_shown_and_the_next_key_is_computed(error, said):
    def breaks(_check):
        raise error

    found = Derived(PageSession(), lambda: None)
    found.want("bad", breaks)
    await until(lambda: found.result.status == "failed")
    assert found.result.note == said
    assert found.result.is_offered == (not isinstance(error, ValueError))
    found.want("good", lambda _: 5)
    await until(lambda: found.result.status == "ready")
    assert found.result.value == 5


async def test_a_failed_result_can_be_requested_again_as_soon_as_it_is_shown():
    outcomes = iter([KeyError(), 5])

    def compute(_check):
        outcome = next(outcomes)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def show():
        if found.result.status == "failed":
            found.ask()
        else:
            found.want("key", compute)

    found = Derived(PageSession(), show)
    show()
    await until(lambda: found.result.status == "ready")
    assert found.result.value == 5


@pytest.mark.parametrize("cost", ["slow", "large"])
async def test_a_computation_ends_when_the_key_changes_or_the_page_closes(cost):
    page = ClosingPage()
    found = Derived(page, lambda: None)
    for end in (lambda: found.want("new", lambda _: 5), page.close):
        begun, ended = threading.Event(), threading.Event()
        found.want("endless", endless(begun, ended), cost)
        await until(begun.is_set)
        end()
        await until(ended.is_set)
        await until(lambda: found.result.status in ("ready", "none"))
    assert found.result == Result()


async def test_one_large_result_is_computed_at_a_time_and_cheap_ones_do_not_wait_for_it():
    first, second, third = (Derived(PageSession(), lambda: None) for _ in range(3))
    begun, ended, other = (threading.Event() for _ in range(3))
    first.want("endless", endless(begun, ended), "large")
    await until(begun.is_set)
    second.want("endless", endless(other, threading.Event()), "large")
    third.want("slow", lambda _: "third")
    await until(lambda: third.result.status == "ready")
    assert not other.is_set()
    # A canceled job that waits for the thread blocks no other job.
    second.want("slow", lambda _: "second")
    await until(lambda: second.result.status == "ready")
    assert not ended.is_set()
    third.want("large", lambda _: "large", "large")
    first.drop()
    await until(lambda: third.result.value == "large")
    assert not other.is_set()


async def test_each_step_of_a_stream_replaces_the_one_before_until_it_is_stopped():
    shown = []
    found = Derived(PageSession(), lambda: shown.append(found.result.value))
    found.stream("count", iter(range(10**9)), "slow")
    await until(lambda: len(shown) > 3)
    found.stop()
    await until(lambda: found._running is None)
    assert shown == list(range(len(shown)))
    assert found.result == Result("ready", shown[-1], "count")
