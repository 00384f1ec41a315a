"""Plants in a server that visitors without browsers ask, and in the network before it."""

from __future__ import annotations

import asyncio
import functools
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.benchmarks.planted.plant import Plant, Server
from tests.load import held, slow
from tests.load.edits import Edits, edits
from tests.load.server import served
from tests.load.swings import swings

SESSIONS, SECONDS = 4, 5.0
EDIT, CPU, MEMORY, BUSY = 0.15, 0.3, 4.0, 0.2


def plants() -> Iterator[Plant]:
    """Of every row of ``python -m tests.load`` that is a figure."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield from edit_plants(folder)
        server = Server(folder, "tinkerformer")

        def share() -> float:
            return _served(folder, server, lambda asked: swings(asked, SESSIONS, SECONDS))

        yield server.seen("swings: share of a processor", "", share, busy=BUSY)
        left = functools.partial(_left, folder, server)
        what = f"held: after {SESSIONS} sessions"
        yield server.seen(what, "MB", left, SESSIONS, page_memory=MEMORY)
        taken = functools.partial(_slow, folder, server)
        what = "slow: the longest event"
        yield server.seen(what, "ms", lambda: taken().longest, 1000, edit=EDIT)
        what = "slow: another visitor's edit"
        yield server.seen(what, "ms", lambda: taken().other, 1000, edit=EDIT)
        what = f"slow: until all has come of {slow.STEPS} steps"
        yield server.seen(what, "ms", lambda: taken().taken, 1000 * slow.STEPS, step=EDIT)


def edit_plants(folder: Path) -> Iterator[Plant]:
    """Of the rows of sessions that edit."""
    server = Server(folder, "tinkerformer")

    def found() -> Edits:
        return _served(folder, server, lambda asked: edits(asked, SESSIONS, SECONDS))

    for what, unit, measure, planted in (
        ("edit to frame, median", "s", lambda: found().delay(0.5), {"edit": EDIT}),
        ("edit to frame, 95 %", "s", lambda: found().delay(0.95), {"edit": EDIT}),
        ("processor time to open", "s", lambda: found().opening, {"page_cpu": CPU}),
        ("memory a session", "MB", lambda: found().memory, {"page_memory": MEMORY}),
        ("share of a processor", "", lambda: found().core, {"busy": BUSY}),
    ):
        yield server.seen(f"edits: {what}", unit, measure, **planted)


def _served(folder: Path, planted: Server, run: Callable[[Any], Any]) -> Any:
    with served(folder, slow.TOLD_FROM, planted.start) as server:
        return asyncio.run(run(server))


def _slow(folder: Path, server: Server) -> slow.Waited:
    (found,) = _served(folder, server, lambda asked: slow.slow(asked, 1))
    return found


def _left(folder: Path, server: Server) -> float:
    rest, _, after = _served(
        folder, server, lambda asked: held.opened_and_closed(asked, SESSIONS, 5)
    )
    return after - rest
