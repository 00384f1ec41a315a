"""What is told of a change waits until changes rest."""

from __future__ import annotations

import asyncio

import pytest
from tinkerformer.runtime import at_rest
from tinkerformer.runtime.at_rest import AtRest
from tinkerformer.runtime.page_session import PageSession


class Closing(PageSession):
    """A session that can be closed."""

    def __init__(self):
        self.closing = []

    def on_close(self, function):
        self.closing.append(function)


def test_without_a_loop_it_is_called_at_once():
    called = []
    AtRest(PageSession(), lambda: called.append(1)).ask()
    assert called == [1]


def test_asked_often_it_is_called_once_after_the_last(monkeypatch):
    monkeypatch.setattr(at_rest, "REST_SECONDS", 0.0)
    called = []

    async def ask():
        last = AtRest(PageSession(), lambda: called.append(1))
        for _ in range(3):
            last.ask()
        assert called == []
        while not called:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.01)

    asyncio.run(ask())
    assert called == [1]


@pytest.mark.parametrize("ends", ["cancel", "close"])
def test_canceled_or_with_its_page_closed_it_is_not_called(monkeypatch, ends):
    monkeypatch.setattr(at_rest, "REST_SECONDS", 0.0)
    called, page = [], Closing()

    async def ask():
        last = AtRest(page, lambda: called.append(1))
        last.ask()
        if ends == "cancel":
            last.cancel()
        for close in page.closing * (ends == "close"):
            close()
        await asyncio.sleep(0.01)

    asyncio.run(ask())
    assert called == []
