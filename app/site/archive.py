"""Packs Python modules as one archive for the worker."""

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

import param

import transformer_math

from ..lessons import catalog
from .to_bytecode import packed

APP = Path(__file__).parents[1]
ASSETS = find_spec(f"{__package__.partition('.')[0]}.assets")
NAME = __package__.partition(".")[0]  # of the installed package
SENT = ".packed"  # suffix of compressed files, because some hosts decompress .gz files themselves
# Modules that a page in the browser does not need; of the folder ``site`` it needs only OF_SITE.
LEFT_OUT = (
    "cards",
    "cli",
    "main.py",
    "__main__.py",
    "transport/panel",
    "shell/served",
    "lessons/markdown",
    "shell/fonts",
)
OF_SITE = ("__init__.py", "late_imports.py", "worker_page.py")
DATA = (".safetensors", ".json")


def app_archive() -> bytes:
    """Return an archive of the app with its weights and lessons, transformer_math, and param."""
    lessons = json.dumps(catalog.parsed(), separators=(",", ":")).encode()
    files = {name: path.read_bytes() for name, path in _app_files()}
    return packed({**files, f"{NAME}/assets/lessons/{catalog.PARSED}": lessons})


def sent(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Compress archives and WebAssembly, so that the transfer size does not depend on the host.

    An archive is compressed as a whole, because the result is smaller than file by file. The
    browser decompresses it, because this is faster than in Python.
    """
    return dict(_sent(name, data) for name, data in files.items())


def _sent(name: str, data: bytes) -> tuple[str, bytes]:
    if not name.endswith((".zip", ".whl", ".asm.wasm")):
        return name, data
    return f"{name}{SENT}", gzip.compress(data, 9, mtime=0)


def _app_files() -> Iterator[tuple[str, Path]]:
    for name, path in _below(NAME, APP, (".py",)):
        inside = PurePosixPath(name).relative_to(NAME)
        is_build = inside.parts[0] == "site" and inside.name not in OF_SITE
        if not is_build and not any(inside.is_relative_to(each) for each in LEFT_OUT):
            yield name, path
    yield from _below("transformer_math", _folder(transformer_math), (".py",))
    yield from _below("param", _folder(param), (".py",))
    if ASSETS is not None and ASSETS.origin is not None:
        yield from _below(f"{NAME}/assets", Path(ASSETS.origin).parent, (".py", *DATA))


def _folder(package: object) -> Path:
    return Path(str(getattr(package, "__file__", ""))).parent


def _below(name: str, folder: Path, endings: Iterable[str]) -> Iterator[tuple[str, Path]]:
    for path in sorted(folder.rglob("*")):
        if path.suffix in endings and path.is_file() and "__pycache__" not in path.parts:
            yield f"{name}/{path.relative_to(folder).as_posix()}", path
