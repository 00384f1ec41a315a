"""Files that browsers keep for good: the address of each has a hash of what it holds.

They lie below an address that Panel's server always has, even in a process that has opened no page
yet: it hands out what a class of a module lists in ``_resources``, a file by a key. The key is the
hash, and in the place of the file, which is a source of the app, goes what was made of it.
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
_LETTERS = 20  # of a hash


class KeptFile(NamedTuple):
    """A file that is the same for all visitors.

    Attributes:
        source: the file that it was made of, in the folder of the module that lists it.
        data: what it holds.
        hash: of that.
    """

    source: str
    data: bytes
    hash: str


def kept_file(source: str, data: bytes) -> KeptFile:
    """A file, by what it was made of and what it holds."""
    return KeptFile(source, data, hash_of(data))


def hash_of(data: bytes) -> str:
    """What stands in the address of a file."""
    return sha256(data).hexdigest()[:_LETTERS]


def hand_out(folder: str, files: Mapping[str, KeptFile]) -> None:
    """Answer with kept files from now on, in this process; twice is harmless.

    Args:
        folder: the address below which they lie.
        files: by their hashes.
    """
    if sys.platform == "emscripten":
        return

    from panel.io.server import ComponentResourceHandler

    def kept(found: Method) -> Method:
        def validate_absolute_path(self: Any, root: str, absolute_path: str) -> str | None:
            _, is_ours, place = self.request.path.partition(f"/{folder}/")
            if not is_ours:
                return str(found(self, root, absolute_path))
            # Panel has looked up the hash, and the source, already.
            _answer(self, files[place.partition("/")[0]])
            return None

        return validate_absolute_path

    wrap_once(ComponentResourceHandler, "validate_absolute_path", kept)


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
