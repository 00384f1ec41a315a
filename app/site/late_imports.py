"""Loads an archive of packages when the first of them is imported."""

from __future__ import annotations

import gzip
import importlib
import io
import sys
import zipfile
from collections.abc import Callable, Iterable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any


class LateImports(MetaPathFinder):
    """An import finder that unpacks the archive at the first import, and then removes itself."""

    def __init__(self, names: Iterable[str], unpack: Callable[[], None]) -> None:
        self._names = frozenset(names)
        self._unpack = unpack

    def find_spec(
        self, name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.partition(".")[0] not in self._names or self not in sys.meta_path:
            return None
        sys.meta_path.remove(self)
        try:
            self._unpack()
        except BaseException:
            sys.meta_path.append(self)  # the next import tries again
            raise
        importlib.invalidate_caches()
        return find_spec(name)


def install(names: Iterable[str], fetch: Callable[[], Any], folder: str) -> None:
    """Install a finder that loads an archive at the first import of one of its packages.

    Args:
        names: the names of the packages.
        fetch: returns the packed archive as a JavaScript buffer.
        folder: the folder to unpack it into.
    """

    def unpack() -> None:
        archive = gzip.decompress(fetch().to_bytes())
        zipfile.ZipFile(io.BytesIO(archive)).extractall(folder)

    sys.meta_path.append(LateImports(list(names), unpack))
