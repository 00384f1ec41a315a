"""A server of its own that can be killed, stopped for a while and started again, at one address."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

from tornado.httpclient import AsyncHTTPClient

from .server import ROOT, SERVED

PATIENCE = 120.0  # seconds until it answers, on a machine that does other things


class FailingServer:
    """A process that serves the page.

    Attributes:
        port: the same for all that follow one another.
        log: what they have written.
    """

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.log = folder / "server.log"
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        """Begin, and come back when it answers."""
        command = [sys.executable, "-m", "tinkerformer", "--port", str(self.port), "--no-show"]
        with self.log.open("ab") as written:
            self._process = subprocess.Popen(
                command, cwd=ROOT, stdout=written, stderr=written, env={**os.environ, **SERVED}
            )
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    await AsyncHTTPClient().fetch(f"http://127.0.0.1:{self.port}/liveness")
                    return
                except OSError:
                    await asyncio.sleep(0.1)

    def kill(self) -> None:
        """End it at once, as a crash does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    async def hang(self, seconds: float) -> None:
        """Stop it for a while: it closes nothing, and answers nothing."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        try:
            await asyncio.sleep(seconds)
        finally:
            self._process.send_signal(signal.SIGCONT)

    def complaints(self) -> list[str]:
        """Lines of the log that tell of something wrong."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        return [line for line in lines if line.startswith(("Traceback", "ERROR", "CRITICAL"))]
