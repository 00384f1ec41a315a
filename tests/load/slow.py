"""What keeps all pages waiting while one visitor asks for what is large."""

from __future__ import annotations

import asyncio
import base64
import json
import random
import re
import time
import zlib
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

from tinkerformer.runtime.limits import SLOW
from tinkerformer.scenario.limits import MAX_EDITS
from tinkerformer.session.session_json import PARTS

from tests.benchmarks.table import NEVER

from .edits import CELL
from .server import Server
from .visitor import Visitor

TOLD_FROM = {SLOW.variable: "20"}  # what the server is to tell of, in ms
LARGE, SMALL = "paper-base", "phrases"
MATRIX = "encoder.0.feed_forward.W_1"
MOST_PATHS = 400
STEPS = 20
WRONG = dict.fromkeys(PARTS, 7)
PAUSE = 0.05  # seconds between two edits of the other visitor
LATEST = 60.0  # seconds after which a thing did not happen
_LINE = re.compile(r"All pages waited (\d+) ms for")


class Waited(NamedTuple):
    """What one thing that was asked for took.

    Attributes:
        what: was asked for.
        longest: milliseconds of the longest event that kept all pages waiting; 0 below 20.
        taken: milliseconds until the last had come that comes of it; ``NEVER``: it did not.
        other: milliseconds that another visitor waited for an answer meanwhile, at most.
    """

    what: str
    longest: int
    taken: float
    other: float


async def slow(server: Server, most: int | None = None) -> list[Waited]:
    """What a visitor can ask for that is large, one thing after the other, or the first of it."""
    visitor, other, found = Visitor(server.url), Visitor(server.url), []
    await visitor.open()
    await other.open()
    await visitor.settle()
    told = len(_told(server))
    for what, ask in _asks(visitor)[:most]:
        over = asyncio.Event()
        waiting = asyncio.create_task(_longest_wait(other, over))
        start, happened, by = time.perf_counter(), True, visitor
        try:
            asked = await asyncio.wait_for(ask(), LATEST)
            by = asked if isinstance(asked, Visitor) else visitor
        except TimeoutError:
            happened = False
        await visitor.settle()
        over.set()
        lines, taken = _told(server), 1000 * (by.last - start) if happened else NEVER
        longest = max(lines[told:], default=0)
        found.append(Waited(what, longest, taken, 1000 * await waiting))
        told = len(lines)
    await visitor.close()
    await other.close()
    return found


async def _longest_wait(visitor: Visitor, over: asyncio.Event) -> float:
    """Edit a number again and again; the seconds of the longest wait for a frame."""
    longest = 0.0
    while not over.is_set():
        start = time.perf_counter()
        longest = max(longest, await visitor.set(*CELL, random.uniform(-2, 2)) - start)
        await asyncio.sleep(PAUSE)
    return longest


def _told(server: Server) -> list[int]:
    return [int(each) for each in _LINE.findall(server.log.read_text(encoding="utf-8"))]


def _asks(visitor: Visitor) -> list[tuple[str, Callable[[], Awaitable[object]]]]:
    """What is asked for; it gives the visitor who did, if that is another than this one."""
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
        try:
            await visitor.swinging()
        finally:
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
        await tell("open", "Share", bytes=kept.encode())
        while f'"{LARGE}"' not in visitor.scenario:
            await asyncio.sleep(0.02)

    async def write() -> None:
        await visitor.put("Tabs", value="decode")
        await visitor.settle()
        await visitor.put("Tabs", value="whole")

    async def open_link(text: str) -> Visitor:
        other = Visitor(visitor.url)
        await other.open(link=_link(text))
        await other.settle()
        await other.close()
        return other

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
        ("a link that is long and wrong in nine parts", lambda: open_link(_edited(64, WRONG))),
        (f"a link with {MAX_EDITS} edits", lambda: open_link(_edited(MAX_EDITS, {}))),
        (
            "a file that is long and wrong in nine parts",
            lambda: tell("open", "Share", bytes=_edited(64, WRONG).encode()),
        ),
    ]


def _edited(cells: int, parts: Mapping[str, object]) -> str:
    """A session with as many edits as one may have, of so many cells, and other parts of it."""
    rows, columns = 40, 64
    places = [[k % rows, k // rows % columns, k // rows // columns] for k in range(cells)]
    edits = [[*places[k % cells], 0.5] for k in range(MAX_EDITS)]
    return json.dumps({"version": 1, "edits": {"encoder.0.self_attn.W_q": edits}, **parts})


def _link(text: str) -> str:
    """The code of a link that holds a text."""
    code = base64.urlsafe_b64encode(zlib.compress(text.encode(), 9))
    return code.decode().rstrip("=")
