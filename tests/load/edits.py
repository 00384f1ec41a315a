"""Sessions that edit once a second: the time until the answering frame, and the cost."""

import asyncio
import random
import time
from collections.abc import Sequence
from typing import NamedTuple

from tests.benchmarks.table import percentile

from .server import Server
from .visitor import Visitor

CELL = ("encoder.0.self_attn.head.0.W_q", 0, 0)


class Edits(NamedTuple):
    """The measurements.

    Attributes:
        sessions: pages that were open.
        delays: seconds from the time an edit was due to its frame, sorted.
        late: seconds by which the visitors themselves were late, sorted; the server did not cause
            these.
        core: the share of a processor that the server used.
        opening: processor seconds to open a page.
        edit: processor seconds for an edit with all of its consequences.
        memory: megabytes per session.
        bytes: the bytes received through the sockets per edit.
    """

    sessions: int
    delays: Sequence[float]
    late: Sequence[float]
    core: float
    opening: float
    edit: float
    memory: float
    bytes: float

    def delay(self, share: float) -> float:
        """Return a quantile of the delays, in seconds."""
        return percentile(self.delays, share)


async def opened(server: Server, sessions: int, query: str = "") -> list[Visitor]:
    """Open ``sessions`` pages, a few at a time."""
    visitors = [Visitor(server.url) for _ in range(sessions)]
    for start in range(0, sessions, 4):
        await asyncio.gather(*[visitor.open(query) for visitor in visitors[start : start + 4]])
    return visitors


async def closed(visitors: Sequence[Visitor]) -> None:
    """Close all pages."""
    for visitor in visitors:
        await visitor.close()


async def edits(server: Server, sessions: int, seconds: float) -> Edits:
    """Let ``sessions`` sessions edit a number once a second each, at different times.

    The server must be new: it would reuse the memory of ended sessions.
    """
    for visitor in await opened(server, 2):  # the cost of the first page
        await visitor.set(*CELL, 1.0)
        await visitor.close()
    await server.rest()
    used, held = server.cpu(), server.memory()
    visitors = await opened(server, sessions)
    await server.rest()
    opening = (server.cpu() - used) / sessions
    memory = (server.memory() - held) / sessions
    await first_edits(server, visitors)
    used, start = server.cpu(), time.perf_counter()
    came = sum(visitor.received for visitor in visitors)
    times = await edit_delays(visitors, seconds)
    spent, passed = server.cpu() - used, time.perf_counter() - start
    came = sum(visitor.received for visitor in visitors) - came
    await closed(visitors)
    delays, late = (sorted(each) for each in zip(*times, strict=True))
    count = len(delays)
    return Edits(
        sessions, delays, late, spent / passed, opening, spent / count, memory, came / count
    )


async def first_edits(server: Server, visitors: Sequence[Visitor]) -> None:
    """Make the first edit of each page, which costs more than later ones."""
    for visitor in visitors:
        await visitor.set(*CELL, 1.0)
    await server.rest()


async def edit_delays(visitors: Sequence[Visitor], seconds: float) -> list[tuple[float, float]]:
    """Let each visitor edit once a second; return two delays in seconds for each edit.

    The first is from when the edit was due until its frame arrived; the second is by how much the
    visitor was late.
    """
    end = time.perf_counter() + seconds
    return [d for each in await asyncio.gather(*[_edit(v, end) for v in visitors]) for d in each]


async def _edit(visitor: Visitor, end: float) -> list[tuple[float, float]]:
    """Edit once a second until the end; return the delay and the lateness of each edit.

    An edit that is due before the one before is answered waits, as during a drag.
    """
    times = []
    due, free = time.perf_counter() + random.random(), 0.0
    while due < end:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        late = time.perf_counter() - max(due, free)
        free = await visitor.set(*CELL, random.uniform(-2, 2))
        times.append((free - due, late))
        due += 1
    return times
