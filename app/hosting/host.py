"""N processes and nginx before them, for as long as this one runs.

A process that ends is started again; its visitors' pages meanwhile go on in another one, with what
was done in them, which their tabs keep.
"""

from __future__ import annotations

import contextlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from .nginx import configuration

STARTS_SECONDS = 120  # until a process answers, on a machine that starts many
PAUSE_SECONDS = 1.0  # before one that has ended is started again
LOOK_SECONDS = 0.5

Say = Callable[[str], object]


class Host:
    """The processes of one machine. As a context they run until it is left."""

    def __init__(self, processes: int, listen: str, options: Sequence[str] = ()) -> None:
        """Nothing runs yet.

        Args:
            processes: how many, at least one.
            listen: address and port that visitors come to.
            options: of ``tinkerformer serve``, for each process.

        Raises:
            ValueError: nginx is not installed, or something cannot be asked for; one sentence.
        """
        nginx = shutil.which("nginx")
        if nginx is None:
            raise ValueError("nginx is not installed (Debian: apt-get install nginx-light).")
        self._nginx = nginx
        self._options = list(options)
        self._folder = Path(tempfile.mkdtemp(prefix="tinkerformer-"))
        self.ports = _free_ports(processes)
        self._file = self._folder / "nginx.conf"
        self._file.write_text(configuration(self.ports, listen, self._folder), encoding="utf-8")
        self.rooms: list[subprocess.Popen[bytes]] = []
        self._front: subprocess.Popen[bytes] | None = None
        self._ends = threading.Event()

    def __enter__(self) -> Host:
        try:
            self.rooms = [self._room(number) for number in range(len(self.ports))]
            for room, port in zip(self.rooms, self.ports, strict=True):
                _wait_for(room, port)
            self._front = subprocess.Popen([self._nginx, "-c", str(self._file), "-p", self._folder])
            time.sleep(LOOK_SECONDS)
            if self._front.poll() is not None:
                raise ValueError("nginx did not start; what it says stands above.")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        running = [*self.rooms, *([self._front] if self._front else [])]
        for process in running:
            process.terminate()
        for process in running:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def watch(self, say: Say) -> None:
        """Start again what ends, until `stop` or until nginx ends."""
        while not self._ends.wait(LOOK_SECONDS):
            if self._front is None or self._front.poll() is not None:
                say("nginx has ended.")
                return
            for number, room in enumerate(self.rooms):
                if room.poll() is not None:
                    say(f"Process {number} has ended ({room.returncode}); it is started again.")
                    self._ends.wait(PAUSE_SECONDS)
                    self.rooms[number] = self._room(number)

    def stop(self) -> None:
        """Have `watch` come to its end."""
        self._ends.set()

    def _room(self, number: int) -> subprocess.Popen[bytes]:
        place = ["--port", str(self.ports[number]), "--prefix", f"room-{number}"]
        command = [sys.executable, "-m", "tinkerformer", "serve", "--no-show", "--behind-proxy"]
        return subprocess.Popen([*command, *place, *self._options])


def host(processes: int, listen: str, options: Sequence[str], say: Say) -> None:
    """Host the page until this process is asked to end.

    Raises:
        ValueError: see `Host`.
    """
    with Host(processes, listen, options) as running:
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, lambda *_: running.stop())
        say(f"{processes} processes behind nginx, at http://{listen}/")
        running.watch(say)


def _free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        doors = [stack.enter_context(socket.socket()) for _ in range(count)]
        for door in doors:
            door.bind(("127.0.0.1", 0))
        return [int(door.getsockname()[1]) for door in doors]


def _wait_for(process: subprocess.Popen[bytes], port: int) -> None:
    end = time.monotonic() + STARTS_SECONDS
    while time.monotonic() < end:
        if process.poll() is not None:
            raise ValueError("A process of the page did not start; what it says stands above.")
        with socket.socket() as door:
            if door.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise ValueError(f"A process of the page did not answer within {STARTS_SECONDS} seconds.")
