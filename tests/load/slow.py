"""What keeps all pages waiting while one visitor asks for what is large."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from tinkerformer.runtime.limits import SLOW

from .server import Server
from .visitor import Visitor

TOLD_FROM = {SLOW.variable: "20"}  # what the server is to tell of, in ms
LARGE, SMALL = "paper-base", "phrases"
MATRIX = "encoder.0.feed_forward.W_1"
MOST_PATHS = 400
STEPS = 20
LATEST = 60.0  # seconds that an oscillation may take to come
_LINE = re.compile(r"All pages waited (\d+) ms for")


class Waited(NamedTuple):
    """What one thing that was asked for took.

    Attributes:
        what: was asked for.
        longest: milliseconds of the longest event that kept all pages waiting; 0 below 20.
        taken: milliseconds until all had come that comes of it.
    """

    what: str
    longest: int
    taken: float


async def slow(server: Server) -> list[Waited]:
    """What a visitor can ask for that is large, one thing after the other."""
    visitor, found = Visitor(server.url), []
    await visitor.open()
    told = len(_told(server))
    for what, ask in _asks(visitor):
        start = time.perf_counter()
        await ask()
        await visitor.settle()
        taken = 1000 * (time.perf_counter() - start)
        lines = _told(server)
        found.append(Waited(what, max(lines[told:], default=0), taken))
        told = len(lines)
    await visitor.close()
    return found


def _told(server: Server) -> list[int]:
    return [int(each) for each in _LINE.findall(server.log.read_text(encoding="utf-8"))]


def _asks(visitor: Visitor) -> list[tuple[str, Callable[[], Awaitable[object]]]]:
    tell = visitor.tell

    async def steps() -> None:
        for _ in range(STEPS):
            await tell("press", "TrainingBar", name="step")

    async def drag() -> None:
        for value in (0.1, 0.2, 0.3):
            await visitor.set(MATRIX, 0, 0, value)

    async def values() -> None:
        paths = [matrix["path"] for matrix in visitor.manifest["matrices"]]
        await tell("values", "Exports", id=3, paths=paths[:MOST_PATHS])

    async def choose(name: str) -> None:
        await tell("choose", "Models", id=1, name=name)
        while f'"{name}"' not in visitor.scenario:
            await asyncio.sleep(0.02)

    async def oscillate() -> None:
        await tell("select", path=MATRIX, i=0, j=0)
        await tell("oscillate", on=True)
        await asyncio.wait_for(visitor.swinging(), LATEST)
        await tell("oscillate", on=False)

    async def reach() -> None:
        await visitor.put("Inspector", reach=True)
        await visitor.settle()
        await visitor.put("Inspector", reach=False)

    async def session() -> None:
        await visitor.settle()
        kept = visitor.scenario
        await choose(SMALL)
        await visitor.settle()
        await tell("open", "Share", text=kept)
        while f'"{LARGE}"' not in visitor.scenario:
            await asyncio.sleep(0.02)

    async def write() -> None:
        await visitor.put("Tabs", value="decode")
        await visitor.settle()
        await visitor.put("Tabs", value="whole")

    def file(kind: str, path: str | None = None) -> Callable[[], Awaitable[object]]:
        return lambda: tell("make", "Exports", id=2, kind=kind, path=path)

    return [
        (f"{STEPS} steps of a training", steps),
        ("check of a thousand phrases", lambda: tell("press", "TrainingBar", name="check")),
        ("a part to its mean", lambda: tell("silence", path="encoder.0.self_attn", to="mean")),
        (LARGE, lambda: choose(LARGE)),
        (f"{LARGE}: three edits", drag),
        (f"{LARGE}: a number chosen", lambda: tell("select", path=MATRIX, i=1, j=1)),
        (f"{LARGE}: what it reaches", reach),
        (f"{LARGE}: its gradient", lambda: tell("gradient", "Inspector", now=True)),
        (f"{LARGE}: it oscillates", oscillate),
        (f"{LARGE}: what it writes", write),
        (f"{LARGE}: {MOST_PATHS} matrices' values", values),
        (f"{LARGE}: a setting", lambda: tell("change", "norm", name="norm", value="pre")),
        (f"{LARGE}: a file of its numbers", file("safetensors")),
        (f"{LARGE}: a program in PyTorch", file("torch")),
        (f"{LARGE}: a matrix as a table", file("csv", MATRIX)),
        (f"{LARGE}: out of a session's file", session),
        (SMALL, lambda: choose(SMALL)),
    ]
