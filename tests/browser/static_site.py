"""The static page that `tinkerformer build` writes, on a plain file server."""

import functools
import http.server
import json
import os
import shutil
import threading
from pathlib import Path

from tinkerformer.cli.lesson_walk import ALIVE as ALIVE
from tinkerformer.site.build import build

from tests.units import free_ports

ROOT = Path(__file__).parents[2]
RUNTIME = ROOT / "node_modules" / "pyodide"
WHEELS = "TINKERFORMER_WHEELS"  # the environment variable for the folder with NumPy's wheel
NEAR = ROOT.parent / "shared" / "wasm-wheels"


class Missing(Exception):
    """There is no runtime to build a site with; the message names what is missing."""


def runtime_in(folder: Path) -> Path:
    """Link npm's runtime and NumPy's wheel in a folder, and return the folder.

    Raises:
        Missing: one of them is not on this machine.
    """
    if not RUNTIME.is_dir():
        raise Missing("npm's pyodide is not in node_modules: npm install brings it")
    numpy = json.loads((RUNTIME / "pyodide-lock.json").read_text())["packages"]["numpy"]
    wheel = Path(os.environ.get(WHEELS, NEAR)) / numpy["file_name"]
    if not wheel.is_file():
        raise Missing(f"there is no {wheel}; {WHEELS} may name its folder")
    folder.mkdir()
    for file in (*RUNTIME.iterdir(), wheel):
        (folder / file.name).symlink_to(file)
    return folder


def built_in(folder: Path) -> Path:
    """Build the page's files in a folder, unless another process has; return their folder.

    Raises:
        Missing: there is no runtime to build it with.
    """
    files, is_built = folder / "site", folder / "built"
    if not is_built.exists():
        shutil.rmtree(folder, ignore_errors=True)  # the rest of a failed build
        folder.mkdir()
        build(files, runtime_in(folder / "runtime"))
        is_built.touch()
    return files


class StaticSite:
    """A file server of a folder with a site, always at the same address."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        [self.port] = free_ports(1)
        self.url = f"http://localhost:{self.port}/"

    def start(self) -> None:
        handler = functools.partial(_Quiet, directory=str(self.folder))
        self.host = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), handler)
        threading.Thread(target=self.host.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self.host.shutdown()
        self.host.server_close()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Log nothing."""
