import asyncio
import logging
import time

import pytest
from tinkerformer.transport.runtime import limits
from tinkerformer.transport.runtime.loop_watch import watch_loop


@pytest.fixture(autouse=True)
def _handles(monkeypatch):
    """Run the real events, whatever another test has replaced."""
    monkeypatch.setattr(asyncio.Handle, "_run", asyncio.Handle._run)


async def keeps_all_waiting():
    await asyncio.sleep(0)
    time.sleep(0.06)


async def is_quick():
    for _ in range(20):
        await asyncio.sleep(0.005)  # short waits are not reported


def lines(caplog):
    return [record.getMessage() for record in caplog.records if "waited" in record.getMessage()]


def test_code_that_blocks_the_loop_is_named_once(monkeypatch, caplog):
    monkeypatch.setenv(limits.SLOW.variable, "50")
    watch_loop()
    watch_loop()

    async def script():
        quick = asyncio.create_task(is_quick())
        await asyncio.create_task(keeps_all_waiting())
        asyncio.get_running_loop().call_soon(time.sleep, 0.06)
        await quick

    with caplog.at_level(logging.WARNING):
        asyncio.run(script())
    task, call = [line for line in lines(caplog) if "is_quick" not in line]
    assert task.startswith("All pages waited ")
    assert task.endswith(" ms for keeps_all_waiting")
    assert int(task.split()[3]) >= 60
    assert call.endswith("for sleep")


def test_without_a_limit_nothing_is_measured(monkeypatch):
    monkeypatch.delenv(limits.SLOW.variable, raising=False)
    before = asyncio.Handle._run
    watch_loop()
    assert asyncio.Handle._run is before
