"""Locates the Python runtime for browsers (Pyodide): at a public address, or as files."""

import hashlib
import json
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from .slimming import slim_library, slim_numpy
from .to_bytecode import LIBRARY_ARCHIVE

VERSION = "314.0.3"
PUBLIC = f"https://cdn.jsdelivr.net/pyodide/v{VERSION}/full/"

NUMPY = "numpy-2.4.3-cp314-cp314-pyemscripten_2026_0_wasm32.whl"

_LOCK = "pyodide-lock.json"
_WASM = "pyodide.asm.wasm"
# Renamed, because some hosts do not serve .mjs as JavaScript.
_MODULES = {"pyodide.mjs": "pyodide.js", "pyodide.asm.mjs": "pyodide.asm.js"}


class RuntimeFiles(NamedTuple):
    """The location of the runtime, and its files in the site."""

    url: str  # public, or relative to the site's folder
    packed: bool  # whether its files are compressed by ``sent``
    files: dict[str, bytes]  # name -> content, to be written there; none at a public address
    fetched: tuple[str, ...]  # names of the files that a page fetches
    early: tuple[str, ...] = ()  # names of the files to preload


def public_runtime() -> RuntimeFiles:
    """Return the runtime at its public address."""
    fetched = (*_MODULES, _WASM, LIBRARY_ARCHIVE, _LOCK, NUMPY)
    return RuntimeFiles(PUBLIC, False, {}, fetched)


def own_runtime(folder: Path) -> RuntimeFiles:
    """Return the runtime from a folder with the files of npm's `pyodide` and NumPy's wheel.

    Raise ``ValueError`` if a file is missing, of another release, or does not match the lock file;
    the message has the commands that fetch all files.
    """
    raw = {name: _read(folder, name) for name in (*_MODULES, _WASM, LIBRARY_ARCHIVE, _LOCK)}
    lock = json.loads(raw[_LOCK])
    numpy = lock["packages"]["numpy"]
    if numpy["file_name"] != NUMPY:
        raise _unfit(folder, f"has another release of Pyodide than {VERSION}")
    wheel = _read(folder, NUMPY)
    if hashlib.sha256(wheel).hexdigest() != numpy["sha256"]:
        raise _unfit(folder, f"has another {NUMPY} than {_LOCK} names")
    slim = slim_numpy(wheel)
    own = {**numpy, "sha256": hashlib.sha256(slim).hexdigest()}
    files = {
        **{name: raw[old] for old, name in _MODULES.items()},
        _WASM: raw[_WASM],
        LIBRARY_ARCHIVE: slim_library(raw[LIBRARY_ARCHIVE]),
        numpy["file_name"]: slim,
        _LOCK: json.dumps(_lock_of(lock, own)).encode(),
    }
    early = (_WASM, LIBRARY_ARCHIVE, numpy["file_name"])
    return RuntimeFiles("runtime/", True, files, tuple(files), early)


def commands(folder: Path) -> str:
    """Return two lines of shell commands that fetch the files of ``own_runtime`` into a folder."""
    where = shlex.quote(str(folder))
    package = f"npm pack pyodide@{VERSION} && tar -xzf pyodide-{VERSION}.tgz"
    return (
        f"mkdir -p {where} && {package} -C {where} --strip-components 1\n"
        f"curl --fail --location {PUBLIC}{NUMPY} --output {where}/{NUMPY}"
    )


def module_archives(runtime: RuntimeFiles) -> dict[str, bytes]:
    """Return the archives of the runtime's Python modules."""
    names = (name for name in runtime.files if name.endswith((".zip", ".whl")))
    return {name: runtime.files[name] for name in names}


def with_archives(runtime: RuntimeFiles, archives: Mapping[str, bytes]) -> RuntimeFiles:
    """Return a copy of the runtime with other archives, and a matching lock file."""
    lock = json.loads(runtime.files[_LOCK])
    numpy = lock["packages"]["numpy"]
    own = {**numpy, "sha256": hashlib.sha256(archives[numpy["file_name"]]).hexdigest()}
    files = {**runtime.files, **archives, _LOCK: json.dumps(_lock_of(lock, own)).encode()}
    return runtime._replace(files=files)


def _read(folder: Path, name: str) -> bytes:
    try:
        return (folder / name).read_bytes()
    except OSError as error:
        raise _unfit(folder, f"has no {name}") from error


def _unfit(folder: Path, what: str) -> ValueError:
    return ValueError(f"{folder} {what}. These two commands fetch the runtime:\n{commands(folder)}")


def _lock_of(lock: dict[str, Any], numpy: dict[str, Any]) -> dict[str, Any]:
    """Return a lock file for NumPy alone, so that no other package can be loaded."""
    return {"info": lock["info"], "packages": {"numpy": numpy}}
