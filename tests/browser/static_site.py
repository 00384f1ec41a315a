"""The page as `tinkerformer build` writes it, on a plain file server."""

import functools
import http.server
import json
import os
import shutil
import socket
import threading
from pathlib import Path

from tinkerformer.site.build import build

ROOT = Path(__file__).parents[2]
RUNTIME = ROOT / "node_modules" / "pyodide"
WHEELS = "TINKERFORMER_WHEELS"  # the environment's name for the folder with NumPy's wheel
NEAR = ROOT.parent / "shared" / "wasm-wheels"
# A page that is there before its Python can be looked at, and is alive a moment later.
ALIVE = """window.tinkerformer?.ready && window.tinkerformer.frames > 0 &&
  (!document.querySelector("script[type=module][src]") ||
    document.documentElement.dataset.python)"""


class Missing(Exception):
    """There is no runtime to build a site with; the text says what is missing."""


def runtime_in(folder: Path) -> Path:
    """The runtime from npm with NumPy's wheel beside it, as links in a folder.

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
    """The page's files in a folder: built there, or what another process has built there.

    Raises:
        Missing: there is no runtime to build it with.
    """
    files, is_built = folder / "site", folder / "built"
    if not is_built.exists():
        shutil.rmtree(folder, ignore_errors=True)  # of a build that failed
        folder.mkdir()
        build(files, runtime_in(folder / "runtime"))
        is_built.touch()
    return files


class StaticSite:
    """A site in a folder, handed out until it is stopped; always at the same address."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
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
        """Nothing."""
