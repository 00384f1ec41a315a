"""``python -m tests.load``: many visitors at once on a server of this machine.

It starts a server on 127.0.0.1, contacts no other, and ends it afterward. Options limit each
command, which prints its results at the end.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.machine import machine
from tests.benchmarks.table import heading, percentile, print_row

from .edits import edits
from .held import asked_only, opened_and_closed
from .server import Server, served
from .swings import swings

MOST_SESSIONS, MOST_MINUTES = 500, 120


async def _edits(server: Server, sessions: int, seconds: float) -> bool:
    found = await edits(server, sessions, seconds)
    delays = f"{1000 * found.delay(0.5):.1f} / {1000 * found.delay(0.95):.1f} ms"
    print_row(f"{sessions} sessions: edit to frame, median / 95 %", delays, "100: 95 % ≤ 150 ms")
    late = f"{1000 * percentile(found.late, 0.5):.1f} / {1000 * percentile(found.late, 0.95):.1f}"
    print_row("  of which the visitors themselves were late", f"{late} ms")
    print_row("  of one processor", f"{100 * found.core:.0f} %")
    print_row("  processor time of an edit", f"{1000 * found.edit:.1f} ms")
    print_row("  processor time to open a page", f"{1000 * found.opening:.0f} ms", "100 ms")
    print_row("  memory a session", f"{found.memory:.2f} MB")
    print_row("  bytes an edit", f"{found.bytes:.0f}")
    return True


async def _swings(server: Server, sessions: int, seconds: float) -> bool:
    share = await swings(server, sessions, seconds)
    print_row(f"{sessions} sessions: of one processor", f"{100 * share:.1f} %", "0 %")
    return True


async def _held(server: Server, sessions: int, _: float) -> bool:
    for what, found in (
        (f"with {sessions} sessions, after they closed", await opened_and_closed(server, sessions)),
        (f"after {sessions} pages without a socket, later", await asked_only(server, sessions)),
    ):
        print_row(f"at rest, {what}", " / ".join(f"{each:.0f}" for each in found), "MB")
    return True


class Command(NamedTuple):
    """A command.

    Attributes:
        heading: the heading of its rows.
        run: runs it on a new server with a number of sessions, for some seconds; returns whether
            all results are as required.
        sessions: the default numbers of sessions, one run for each.
        seconds: the default duration.
    """

    heading: str
    run: Callable[[Server, int, float], Awaitable[bool]]
    sessions: list[int]
    seconds: float


COMMANDS = {
    "edits": Command("Sessions that edit a number once a second each", _edits, [20, 50, 100], 20),
    "swings": Command("Sessions in which a number oscillates", _swings, [50], 20),
    "held": Command("Memory after sessions are closed", _held, [100], 0),
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, each in COMMANDS.items():
        command = commands.add_parser(name)
        command.add_argument("--sessions", type=_count, nargs="+", default=each.sessions)
        command.add_argument("--seconds", type=_seconds, default=each.seconds)
    return parser


def _count(text: str) -> int:
    count = int(text)
    if not 1 <= count <= MOST_SESSIONS:
        raise argparse.ArgumentTypeError(f"from 1 to {MOST_SESSIONS}")
    return count


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 1 <= seconds <= 60 * MOST_MINUTES:
        raise argparse.ArgumentTypeError(f"from 1 to {60 * MOST_MINUTES}")
    return seconds


async def _run(given: argparse.Namespace) -> bool:
    command, fine = COMMANDS[given.command], True
    heading(f"{command.heading}; on {machine()}")
    for sessions in given.sessions:
        with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as server:
            fine &= await command.run(server, sessions, given.seconds)
            complaints = server.complaints()
            for complaint in complaints[:10]:
                print("  the server wrote: " + complaint[:200])
            fine &= not complaints
    return fine


if __name__ == "__main__":
    sys.exit(0 if asyncio.run(_run(_parser().parse_args())) else 1)
