"""Serves files that browsers cache forever: each address contains a hash of the content.

The addresses use a route that Panel's server always has, even before a page was opened. By default
this route serves the files that a class lists in ``_resources``, by key. Here the key is the hash,
and the response is the file that was built from the listed source.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from ..runtime.wrapping import Method, wrap_once
from .compression import FOR_GOOD

TYPES = {".js": "text/javascript", ".css": "text/css", ".woff2": "font/woff2"}
_LETTERS = 20  # characters of a hash

_handed_out: dict[str, Mapping[str, KeptFile]] = {}  # for each folder, its files by hash


class KeptFile(NamedTuple):
    """An immutable file, the same for all visitors."""

    source: str  # the source file, in the folder of the module that lists it
    data: bytes
    hash: str


def kept_file(source: str, data: bytes) -> KeptFile:
    """Return a file with this source and content, and compute its hash."""
    return KeptFile(source, data, hash_of(data))


def hash_of(data: bytes) -> str:
    """Return the hash of the content, as used in the file's address."""
    return sha256(data).hexdigest()[:_LETTERS]


def hand_out(folder: str, files: Mapping[str, KeptFile]) -> None:
    """From now on, serve these files by their hashes, instead of the folder's earlier files."""
    _handed_out[folder] = files
    answer_from_memory()


def answer_from_memory() -> None:
    """Serve the files of `hand_out`, in this process; repeated calls have no effect."""
    if sys.platform == "emscripten":
        return

    from panel.io.server import ComponentResourceHandler

    wrap_once(ComponentResourceHandler, "validate_absolute_path", _kept)


def _kept(original: Method) -> Method:
    def validate_absolute_path(self: Any, root: str, absolute_path: str) -> str | None:
        for folder, files in _handed_out.items():
            _, is_ours, place = self.request.path.partition(f"/{folder}/")
            if is_ours:
                # Panel has already validated the hash and the source.
                _answer(self, files[place.partition("/")[0]])
                return None
        return str(original(self, root, absolute_path))

    return validate_absolute_path


def _answer(handler: Any, file: KeptFile) -> None:
    handler.set_header("Etag", f'"{file.hash}"')
    handler.set_header("Cache-Control", FOR_GOOD)
    handler.set_header("Content-Type", TYPES[PurePosixPath(file.source).suffix])
    handler.set_header("X-Content-Type-Options", "nosniff")
    if handler.check_etag_header():
        handler.set_status(304)
        handler.finish()
    else:
        handler.finish(file.data)
