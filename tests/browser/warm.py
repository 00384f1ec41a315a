"""Starts page servers by forking a process that has imported all their modules. That takes a
tenth of the processor time, because most of a start is imports.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]


class Forked:
    """A forked server, with the methods of `subprocess.Popen` that tests use."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def poll(self) -> int | None:
        """Return None while the server runs."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return 0
        return None

    def wait(self, timeout: float | None = None) -> int:
        """Wait until the server has ended.

        Raises:
            subprocess.TimeoutExpired: it still runs.
        """
        end = time.monotonic() + (600 if timeout is None else timeout)
        while self.poll() is None:
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired("a forked server", timeout or 600)
            time.sleep(0.02)
        return 0

    def terminate(self) -> None:
        self._send(signal.SIGTERM)

    def kill(self) -> None:
        self._send(signal.SIGKILL)

    def _send(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)


class Warm:
    """A process that has imported the page and Panel, and forks a server for each command."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__))],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def start(self, command: Sequence[str], log: Path) -> Forked:
        """Run Panel's command in a fork; its stderr goes to the log."""
        self._process.stdin.write("\t".join([str(log), *command]) + "\n")
        self._process.stdin.flush()
        return Forked(int(self._process.stdout.readline()))

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def _serve(log: str, command: list[str]) -> None:
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDWR)
    said = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    for own, number in ((nothing, 0), (nothing, 1), (said, 2)):
        os.dup2(own, number)
    sys.argv = command
    from panel.command import main

    main(command)


def _main() -> None:
    import panel.command  # noqa: F401
    import tinkerformer.shell.served  # noqa: F401

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # ended children leave no zombies
    for line in sys.stdin:
        log, *command = line.rstrip("\n").split("\t")
        pid = os.fork()
        if pid == 0:
            _serve(log, command)
            return
        print(pid, flush=True)


if __name__ == "__main__":
    _main()
