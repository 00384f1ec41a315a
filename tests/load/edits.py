"""Sessions that edit once a second: how long until the frame that answers, and what it costs."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from typing import NamedTuple

from .server import Server
from .visitor import Visitor

CELL = ("encoder.0.self_attn.head.0.W_q", 0, 0)


class Edits(NamedTuple):
    """What was measured.

    Attributes:
        sessions: pages that were open.
        delays: seconds from an edit to its frame, sorted.
        core: the share of a processor that the server used.
        opening: processor seconds to open a page.
        edit: processor seconds for an edit, all that follows from it included.
        memory: megabytes a session.
        bytes: that came through the sockets for an edit.
    """

    sessions: int
    delays: Sequence[float]
    core: float
    opening: float
    edit: float
    memory: float
    bytes: float

    def delay(self, share: float) -> float:
        """The delay that this share of the edits stays under, in seconds."""
        return self.delays[int(share * (len(self.delays) - 1))]


async def opened(server: Server, sessions: int, query: str = "") -> list[Visitor]:
    """So many pages, opened a few at a time."""
    visitors = [Visitor(server.url) for _ in range(sessions)]
    for start in range(0, sessions, 4):
        await asyncio.gather(*[visitor.open(query) for visitor in visitors[start : start + 4]])
    return visitors


async def closed(visitors: Sequence[Visitor]) -> None:
    """Close them all."""
    for visitor in visitors:
        await visitor.close()


async def edits(server: Server, sessions: int, seconds: float) -> Edits:
    """Let so many sessions edit a number once a second each, at moments of their own."""
    for visitor in await opened(server, 2):  # what only the first page costs
        await visitor.close()
    used, held = server.cpu(), server.memory()
    visitors = await opened(server, sessions)
    opening = (server.cpu() - used) / sessions
    memory = (server.memory() - held) / sessions
    used, start = server.cpu(), time.perf_counter()
    came = sum(visitor.received for visitor in visitors)
    end = start + seconds
    delays = [d for each in await asyncio.gather(*[_edit(v, end) for v in visitors]) for d in each]
    spent, passed = server.cpu() - used, time.perf_counter() - start
    came = sum(visitor.received for visitor in visitors) - came
    await closed(visitors)
    count = len(delays)
    return Edits(
        sessions, sorted(delays), spent / passed, opening, spent / count, memory, came / count
    )


async def _edit(visitor: Visitor, end: float) -> list[float]:
    """Once a second until the end; the first within a second."""
    delays = []
    due = time.perf_counter() + random.random()
    while due < end:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        delays.append(await visitor.set(*CELL, random.uniform(-2, 2)))
        due = max(due + 1, time.perf_counter())
    return delays
