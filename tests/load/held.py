"""The memory of a server after its visitors have left."""

import asyncio

from tornado.httpclient import AsyncHTTPClient

from .edits import CELL, closed, opened
from .server import Server

GONE = 75.0  # seconds after which the server forgets sessions without a page


async def opened_and_closed(
    server: Server, sessions: int, gone: float = GONE
) -> tuple[float, float, float]:
    """Return the megabytes at rest, with edited sessions open, and after they have left."""
    await closed(await opened(server, 2))
    await server.rest()
    rest = server.memory()
    visitors = await opened(server, sessions)
    for visitor in visitors:
        await visitor.set(*CELL, 1.0)
    full = server.memory()
    await closed(visitors)
    await asyncio.sleep(gone)
    return rest, full, server.memory()


async def asked_only(server: Server, requests: int) -> tuple[float, float, float]:
    """Return the megabytes before, after and long after requests without a socket."""
    before = server.memory()
    client = AsyncHTTPClient()
    for _ in range(requests):
        await client.fetch(server.url, request_timeout=60)
    after = server.memory()
    await asyncio.sleep(GONE)
    return before, after, server.memory()
