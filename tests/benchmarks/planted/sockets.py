"""Plants in a server that visitors without browsers ask, and in the network before it."""

from __future__ import annotations

import asyncio
import functools
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.benchmarks.planted.plant import Plant, Server, more
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
        yield Plant(
            f"swings: share of a processor; {BUSY:.0%} of one is busy",
            "%",
            lambda: 100 * _served(folder, server, lambda s: swings(s, SESSIONS, SECONDS)),
            functools.partial(server.plant, busy=BUSY),
            more(100 * BUSY),
        )
        yield Plant(
            f"held: after {SESSIONS} sessions; each keeps {MEMORY:.0f} MB",
            "MB",
            functools.partial(_left, folder, server),
            functools.partial(server.plant, page_memory=MEMORY),
            more(MEMORY * SESSIONS),
        )
        for what, measure in (
            ("the longest event", lambda found: found.longest),
            ("another visitor's edit", lambda found: found.other),
        ):
            yield Plant(
                f"slow: {what}; each edit {1000 * EDIT:.0f} ms",
                "ms",
                functools.partial(_slow, folder, server, measure),
                functools.partial(server.plant, edit=EDIT),
                more(1000 * EDIT),
            )
        yield Plant(
            f"slow: until all has come of {slow.STEPS} steps; each {1000 * EDIT:.0f} ms",
            "ms",
            functools.partial(_slow, folder, server, lambda found: found.taken),
            functools.partial(server.plant, step=EDIT),
            more(1000 * EDIT * slow.STEPS),
        )


def edit_plants(folder: Path) -> Iterator[Plant]:
    """Of the rows of sessions that edit."""
    server = Server(folder, "tinkerformer")

    def plant(what: str, unit: str, measure: Callable[[Edits], float], **planted: float) -> Plant:
        (amount,) = planted.values()
        factor = 1000 if unit == "ms" else 1
        return Plant(
            f"edits: {what}",
            unit,
            lambda: _served(folder, server, lambda s: _edits(s, measure)),
            functools.partial(server.plant, **planted),
            more(factor * amount),
        )

    yield plant("edit to frame, median", "ms", lambda f: 1000 * f.delay(0.5), edit=EDIT)
    yield plant("edit to frame, 95 %", "ms", lambda f: 1000 * f.delay(0.95), edit=EDIT)
    yield plant("processor time to open", "ms", lambda f: 1000 * f.opening, page_cpu=CPU)
    yield plant("memory a session", "MB", lambda f: f.memory, page_memory=MEMORY)
    yield plant("share of a processor", "", lambda f: f.core, busy=BUSY)


async def _edits(server: object, measure: Callable[[Edits], float]) -> float:
    return measure(await edits(server, SESSIONS, SECONDS))  # type: ignore[arg-type]


def _served(folder: Path, planted: Server, run: Callable) -> float:  # type: ignore[type-arg]
    with served(folder, slow.TOLD_FROM, planted.start) as server:
        return asyncio.run(run(server))


def _slow(folder: Path, server: Server, measure: Callable[[slow.Waited], float]) -> float:
    async def run(asked: object) -> float:
        (found,) = await slow.slow(asked, 1)  # type: ignore[arg-type]
        return measure(found)

    return _served(folder, server, run)


def _left(folder: Path, server: Server) -> float:
    async def run(asked: object) -> float:
        rest, _, after = await held.opened_and_closed(asked, SESSIONS, 5)  # type: ignore[arg-type]
        return after - rest

    return _served(folder, server, run)
