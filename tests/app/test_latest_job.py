"""Work beside the page: what is overtaken ends, what fails is said, large things take turns."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest
from tinkerformer.runtime.background import FAILED, NO_MEMORY, Canceled, LatestJob
from tinkerformer.runtime.page_session import PageSession


class Closing(PageSession):
    """A page that can be left."""

    def __init__(self):
        super().__init__()
        self.leave = lambda: None

    def on_close(self, function):
        self.leave = function


class Asked:
    """What was shown of one page's work."""

    def __init__(self):
        self.page = Closing()
        self.latest = LatestJob(self.page)
        self.shown, self.failed = [], []

    def make(self, make, **how):
        self.latest.run(make, self.shown.append, self.failed.append, **how)


async def until(condition):
    for _ in range(6_000):  # a machine may do other things, too
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("It has not come about.")


def endless(begun, ended):
    """Work of many pieces that says when it begins and when it is ended."""

    def make(go_on):
        begun.set()
        try:
            for _ in range(2_000):
                time.sleep(0.005)
                go_on()
        except Canceled:
            ended.set()
            raise

    return make


@pytest.mark.parametrize(("error", "said"), [(MemoryError, NO_MEMORY), (KeyError, FAILED)])
def test_what_goes_wrong_is_said_and_the_next_is_made(error, said):
    def breaks(_go_on):
        raise error

    async def script():
        asked = Asked()
        asked.make(breaks)
        await until(lambda: asked.failed)
        assert asked.failed == [said]
        asked.make(lambda _: 5)
        await until(lambda: asked.shown)
        assert asked.shown == [5]

    asyncio.run(script())


@pytest.mark.parametrize("is_large", [False, True])
def test_what_is_overtaken_or_left_ends_at_its_next_piece(is_large):
    async def script():
        asked = Asked()
        for end in (lambda: asked.make(lambda _: 5), asked.page.leave):
            begun, ended = threading.Event(), threading.Event()
            asked.make(endless(begun, ended), is_large=is_large)
            await until(begun.is_set)
            end()
            await until(ended.is_set)
            await until(lambda: asked.shown)  # or the next request replaces this one
        assert asked.shown == [5]
        assert not asked.failed

    asyncio.run(script())


def test_one_large_thing_is_made_at_a_time_and_nothing_else_waits_for_it():
    async def script():
        first, second, third = Asked(), Asked(), Asked()
        begun, ended, other = (threading.Event() for _ in range(3))
        first.make(endless(begun, ended), is_large=True)
        await until(begun.is_set)
        second.make(endless(other, threading.Event()), is_large=True)
        third.make(lambda _: "third")
        await until(lambda: third.shown)
        assert not other.is_set()
        # What waits for its turn and is overtaken holds nothing up.
        second.make(lambda _: "second")
        await until(lambda: second.shown)
        assert not ended.is_set()
        third.make(lambda _: "large", is_large=True)
        first.latest.cancel()
        await until(lambda: len(third.shown) == 2)
        assert not other.is_set()

    asyncio.run(script())
