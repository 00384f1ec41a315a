"""A server of its own on this machine, and what it uses."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0  # seconds until it answers


class Server(NamedTuple):
    """A process that serves the page.

    Attributes:
        url: of the page.
        pid: of the process.
        log: what it has written.
    """

    url: str
    pid: int
    log: Path

    def cpu(self) -> float:
        """Processor seconds used so far (Linux)."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100

    def memory(self) -> float:
        """Megabytes held (Linux)."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def complaints(self) -> list[str]:
        """Lines of its log that tell of something wrong."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        return [line for line in lines if line.startswith(("Traceback", "ERROR", "CRITICAL"))]


@contextlib.contextmanager
def served(folder: Path, environment: Mapping[str, str] | None = None) -> Iterator[Server]:
    """A server as the command starts it; its log is written into a folder."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "tinkerformer", "--port", str(port), "--no-show"]
    log = folder / "server.log"
    with log.open("wb") as written:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            stdout=written,
            stderr=written,
            env={**os.environ, **(environment or {})},
        )
        try:
            _wait(f"http://127.0.0.1:{port}/liveness")
            yield Server(f"http://127.0.0.1:{port}/main", process.pid, log)
        finally:
            process.terminate()
            process.wait(30)


def _wait(address: str) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            urllib.request.urlopen(address, timeout=10).read()
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
