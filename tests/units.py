"""The files of ``assets/hosting`` used on one machine, with a replacement for systemd."""

from __future__ import annotations

import configparser
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILES = ROOT / "assets" / "hosting"
UNIT = FILES / "tinkerformer@.service"
NO_NGINX = "There is no nginx (Debian: apt-get install nginx-light)."
STARTS = 120  # seconds, on a busy machine
LOOK = 0.05


class Missing(Exception):
    """This machine lacks a program that the files need."""


def unit() -> configparser.SectionProxy:
    """Return the unit's settings of its process; of a repeated name, the last."""
    parser = configparser.ConfigParser(strict=False, interpolation=None, delimiters="=")
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(UNIT, encoding="utf-8")
    return parser["Service"]


def environment() -> dict[str, str]:
    """Return the variables that the unit's environment file sets."""
    lines = (FILES / "environment").read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        doors = [stack.enter_context(socket.socket()) for _ in range(count)]
        for door in doors:
            door.bind(("127.0.0.1", 0))
        return [int(door.getsockname()[1]) for door in doors]


class Instance:
    """A process of the unit, which is started again as the unit requires.

    Attributes:
        port: the port, which names the process.
        process: the running process, or the last one.
        is_ready: whether it has reported that it is ready.
        starts: the number of starts.
    """

    def __init__(self, port: int, watchdog: float, folder: Path, given: Mapping[str, str]) -> None:
        self.port, self.watchdog = port, watchdog
        self._says = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._says.settimeout(LOOK)
        self._says.bind(str(folder / str(port)))
        self._environment = {
            **os.environ,
            **environment(),
            **dict(each.split("=", 1) for each in unit()["Environment"].split()),
            **given,
            "NOTIFY_SOCKET": str(folder / str(port)),
            "WATCHDOG_USEC": str(int(watchdog * 1e6)),
        }
        self.log = folder / f"{port}.log"
        self.is_ready = threading.Event()
        self.starts = 0
        self._ends = threading.Event()
        self._keeps = threading.Thread(target=self._keep)
        self._keeps.start()

    def stop(self) -> None:
        """Terminate the process, and do not start it again."""
        self._ends.set()
        self._keeps.join()
        self._says.close()

    def kill(self) -> None:
        """Kill the process, as a crash does."""
        self.is_ready.clear()
        self.process.kill()

    def _keep(self) -> None:
        while not self._ends.is_set():
            self.is_ready.clear()
            self._start()
            self._watch()
            self._ends.wait(float(unit()["RestartSec"]))

    def _start(self) -> None:
        line = unit()["ExecStart"].replace("%i", str(self.port)).split()
        options = self._environment["TINKERFORMER_OPTIONS"].split()
        given = [each for word in line for each in (options if word[0] == "$" else [word])]
        assert given[0].endswith("/bin/tinkerformer")
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tinkerformer", *given[1:]],
                env=self._environment,
                stdout=log,
                stderr=log,
            )
        self.starts += 1

    def _watch(self) -> None:
        """Return when it has ended, whether by itself, by us, or because it was silent."""
        heard = time.monotonic()
        while self.process.poll() is None:
            try:
                said = self._says.recv(256)
                heard = time.monotonic()
                if said == b"READY=1":
                    self.is_ready.set()
            except TimeoutError:
                pass
            limit = self.watchdog if self.is_ready.is_set() else STARTS
            if self._ends.is_set():
                self.process.terminate()
            elif time.monotonic() - heard > limit:
                self.process.send_signal(signal.SIGABRT)
                self.process.send_signal(signal.SIGCONT)  # as systemd does for a stopped process
            else:
                continue
            try:
                self.process.wait(float(unit()["TimeoutStopSec"]))
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


class Front:
    """Run nginx with its file, except for the ports and the folder."""

    def __init__(self, ports: list[int]) -> None:
        """Args: the ports of the processes.

        Raises:
            Missing: nginx is not on this machine.
        """
        found = shutil.which("nginx")
        if found is None:
            raise Missing(NO_NGINX)
        (self.port,) = free_ports(1)
        self.url = f"http://localhost:{self.port}/"
        self.folder = Path(tempfile.mkdtemp(prefix="nginx-"))
        os.chmod(self.folder, 0o755)  # if this process runs as root, nginx's workers do not
        shutil.copy(FILES / "waiting.html", self.folder)
        (self.folder / "site.conf").write_text(self._site(ports), encoding="utf-8")
        temporary = "".join(
            f"  {kind}_temp_path {self.folder}/{kind};\n"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (self.folder / "nginx.conf").write_text(
            f"daemon off;\npid {self.folder}/pid;\nerror_log stderr crit;\n"
            "worker_processes 2;\nevents { worker_connections 1024; }\n"
            f"http {{\n  access_log off;\n{temporary}  include {self.folder}/site.conf;\n}}\n",
            encoding="utf-8",
        )
        self.command = [found, "-e", "stderr", "-p", str(self.folder), "-c", "nginx.conf"]
        self.command[-1] = str(self.folder / "nginx.conf")

    def _site(self, ports: list[int]) -> str:
        lines = []
        for line in (FILES / "nginx.conf").read_text(encoding="utf-8").splitlines():
            if line.strip().startswith("server 127.0.0.1:"):
                lines += [line.replace(":5006 ", f":{port} ") for port in ports if ":5006 " in line]
            else:
                lines.append(line)
        text = "\n".join(lines)
        for shipped, here in (
            ("listen 80;", f"listen 127.0.0.1:{self.port};"),
            ("root /var/www/tinkerformer;", f"root {self.folder};"),
        ):
            assert shipped in text
            text = text.replace(shipped, here)
        return text

    def __enter__(self) -> Front:
        self._process = subprocess.Popen(self.command)
        end = time.monotonic() + STARTS
        while time.monotonic() < end:
            assert self._process.poll() is None, "nginx did not start"
            with socket.socket() as door:
                if door.connect_ex(("127.0.0.1", self.port)) == 0:
                    break
            time.sleep(LOOK)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(20)
        shutil.rmtree(self.folder)


@contextlib.contextmanager
def house(
    count: int, watchdog: float = 60.0, **given: str
) -> Iterator[tuple[list[Instance], Front]]:
    """Run a number of processes of the unit behind nginx, all of them ready.

    Args:
        count: the number of processes.
        watchdog: seconds of silence after which a process is ended.
        given: variables of their environment in addition to those of the file.

    Raises:
        Missing: nginx is not on this machine.
    """
    ports = free_ports(count)
    front = Front(ports)
    folder = Path(tempfile.mkdtemp(prefix="units-"))
    key = {"BOKEH_SECRET_KEY": "a key of thirty-two letters or so", **given}
    instances = [Instance(port, watchdog, folder, key) for port in ports]
    try:
        for each in instances:
            assert each.is_ready.wait(STARTS), each.log.read_text(encoding="utf-8")
        with front:
            yield instances, front
    finally:
        for each in instances:
            each.stop()
        shutil.rmtree(folder)
