"""A separate server on this machine, and its use of resources."""

import asyncio
import contextlib
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tinkerformer.transport.runtime.limits import OPENING, SESSIONS

from tests.benchmarks import usage
from tests.units import free_ports

ROOT = Path(__file__).parents[2]
# More than a process accepts by default, because these tests measure many sessions.
SERVED = {SESSIONS.variable: "1000", OPENING.variable: "1000"}
PATIENCE = 300.0  # seconds until the server must answer


class Server(NamedTuple):
    """A process that serves the page.

    Attributes:
        url: of the page.
        pid: of the process.
        log: its output.
    """

    url: str
    pid: int
    log: Path

    def cpu(self) -> float:
        """Return the processor seconds used so far."""
        return usage.cpu(self.pid)

    def memory(self) -> float:
        """Return the resident megabytes."""
        return usage.memory(self.pid)

    async def rest(self) -> None:
        """Wait until the server is idle; visitors continue meanwhile."""
        await asyncio.to_thread(usage.come_to_rest, self.pid)

    def complaints(self) -> list[str]:
        """Return the lines of its log that report problems."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        return [line for line in lines if line.startswith(("Traceback", "ERROR", "CRITICAL"))]


@contextlib.contextmanager
def served(folder: Path) -> Iterator[Server]:
    """Start a server as the command does.

    Args: folder: the folder for its log.
    """
    (port,) = free_ports(1)
    command = [sys.executable, "-m", "tinkerformer", "--port", str(port), "--no-show"]
    log = folder / "server.log"
    with log.open("wb") as written:
        process = subprocess.Popen(
            command, cwd=ROOT, stdout=written, stderr=written, env={**os.environ, **SERVED}
        )
        try:
            answered(f"http://127.0.0.1:{port}/liveness")
            yield Server(f"http://127.0.0.1:{port}/main", process.pid, log)
        finally:
            process.terminate()
            process.wait(30)


def answered(address: str) -> None:
    """Wait until a server answers at an address.

    Raises:
        OSError: the server does not answer in time.
    """
    end = time.monotonic() + PATIENCE
    while True:
        try:
            urllib.request.urlopen(address, timeout=PATIENCE).read()
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
