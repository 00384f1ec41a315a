"""Sessions in which a number oscillates: the browser plays it, and the server must be idle."""

import asyncio
import time

from .edits import CELL, closed, opened
from .server import Server


async def swings(server: Server, sessions: int, seconds: float) -> float:
    """Measure the share of a processor that the server uses during the oscillations."""
    visitors = await opened(server, sessions)
    path, i, j = CELL
    for visitor in visitors:
        await visitor.tell("select", path=path, i=i, j=j)
        await visitor.tell("oscillate", on=True)
    await asyncio.gather(*[visitor.swinging() for visitor in visitors])
    await asyncio.sleep(2)  # messages that follow the start
    used, start = server.cpu(), time.perf_counter()
    await asyncio.sleep(seconds)
    share = (server.cpu() - used) / (time.perf_counter() - start)
    await closed(visitors)
    return share
