"""``python -m tests.load``: many visitors at once on a server of this machine, as documented.

A server is started on 127.0.0.1 for the occasion and ended afterwards; nothing else is asked. Each
command is bounded by its options, and says at the end what it found.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from tests.benchmarks.table import heading, line

from .edits import edits
from .held import asked_only, opened_and_closed
from .server import Server, served
from .slow import TOLD_FROM, slow
from .soak import soak
from .swings import swings

MOST_SESSIONS, MOST_MINUTES = 500, 120


async def _edits(server: Server, given: argparse.Namespace) -> bool:
    heading("Sessions that edit a number once a second each")
    for sessions in given.sessions:
        found = await edits(server, sessions, given.seconds)
        delays = f"{1000 * found.delay(0.5):.1f} / {1000 * found.delay(0.95):.1f} ms"
        line(f"{sessions} sessions: edit to frame, median / 95 %", delays, "100: 95 % ≤ 150 ms")
        line("  of one processor", f"{100 * found.core:.0f} %")
        line("  processor time of an edit", f"{1000 * found.edit:.1f} ms")
        line("  processor time to open a page", f"{1000 * found.opening:.0f} ms", "100 ms")
        line("  memory a session", f"{found.memory:.2f} MB")
        line("  bytes an edit", f"{found.bytes:.0f}")
    return True


async def _swings(server: Server, given: argparse.Namespace) -> bool:
    heading("Sessions in which a number oscillates")
    for sessions in given.sessions:
        share = await swings(server, sessions, given.seconds)
        line(f"{sessions} sessions: of one processor", f"{100 * share:.1f} %", "0 %")
    return True


async def _held(server: Server, given: argparse.Namespace) -> bool:
    heading("Memory after sessions are closed")
    for sessions in given.sessions:
        found = await opened_and_closed(server, sessions)
        line(f"at rest, with {sessions} sessions, after they closed", " / ".join(found), "MB")
        found = await asked_only(server, sessions)
        line(f"at rest, after {sessions} pages without a socket, later", " / ".join(found), "MB")
    return True


async def _soak(server: Server, given: argparse.Namespace) -> bool:
    heading("Random use")
    wrong = await soak(server, given.sessions[0], given.seconds)
    for sentence in wrong[:20]:
        print("  " + sentence)
    return not wrong


async def _slow(server: Server, _: argparse.Namespace) -> bool:
    heading("What keeps all pages waiting while one visitor asks for it: the longest event")
    for found in await slow(server):
        line(found.what, f"{found.longest or 'under 20'} ms", "50 ms")
        line("  until all has come", f"{found.taken:.0f} ms")
    return True


COMMANDS: dict[str, tuple[Callable[..., Awaitable[bool]], list[int], float]] = {
    "edits": (_edits, [20, 50, 100], 20),
    "swings": (_swings, [50], 20),
    "held": (_held, [100], 0),
    "soak": (_soak, [10], 60),
    "slow": (_slow, [1], 0),
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, (_, sessions, seconds) in COMMANDS.items():
        command = commands.add_parser(name)
        command.add_argument("--sessions", type=_count, nargs="+", default=sessions)
        command.add_argument("--seconds", type=_seconds, default=seconds)
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
    run, _, _ = COMMANDS[given.command]
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), TOLD_FROM) as server:
        fine = await run(server, given)
        complaints = server.complaints()
        for complaint in complaints[:10]:
            print("  the server wrote: " + complaint[:200])
        return fine and not complaints


if __name__ == "__main__":
    sys.exit(0 if asyncio.run(_run(_parser().parse_args())) else 1)
