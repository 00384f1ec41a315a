"""Atomic writing of files: if the disk is full, the existing files stay."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path


class NotWritten(OSError):
    """A file could not be written; existing files are unchanged."""


def write_whole(files: Mapping[Path, bytes]) -> None:
    """Write files into existing folders, all of them or none.

    All are first written to temporary files in the same folders, which replace the originals.

    Args:
        files: path -> content.

    Raises:
        NotWritten: a file could not be written, so no file was replaced.
    """
    parts: dict[Path, Path] = {}
    now = None
    try:
        for path, data in files.items():
            now = path
            if path.exists() and not path.is_file():
                path.write_bytes(data)  # a device or a pipe, which cannot be replaced
                continue
            target = path.resolve()  # the target of a symbolic link
            parts[target] = target.with_name(f"{target.name}.{os.getpid()}.part")
            _write(parts[target], data)
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
    """Write a file and wait until it is on the disk."""
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())  # some file systems report a full disk only here
