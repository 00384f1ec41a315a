"""Files that are written whole or not at all: a full disk leaves what was there before."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path


class NotWritten(OSError):
    """A file could not be written; one sentence. What was there before is as it was."""


def write_whole(files: Mapping[Path, bytes]) -> None:
    """Write files, each in the place of what was there; the folders are there already.

    All of them are written beside their places first, and take these when none is missing.

    Raises:
        NotWritten: one could not be written; then none was.
    """
    parts: dict[Path, Path] = {}
    now = None
    try:
        for path, data in files.items():
            now = path
            if path.exists() and not path.is_file():
                path.write_bytes(data)  # a device or a pipe holds nothing that could be lost
                continue
            place = path.resolve()  # of a link, what it leads to
            parts[place] = place.with_name(f"{place.name}.{os.getpid()}.part")
            _write(parts[place], data)
        for now, part in parts.items():
            part.replace(now)
    except OSError as error:
        raise NotWritten(
            f"{now} could not be written: {error.strerror or error}. "
            "What was there before is as it was."
        ) from error
    finally:
        for part in parts.values():
            with suppress(OSError):
                part.unlink(missing_ok=True)


def _write(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())  # some disks say only here that they are full
