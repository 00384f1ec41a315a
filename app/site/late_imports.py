"""Packages that come in an archive of their own when the first of them is imported."""

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
    """Has the archive unpacked at the first import of a name in it, and steps aside."""

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
            sys.meta_path.append(self)  # the next import may have more luck
            raise
        importlib.invalidate_caches()
        return find_spec(name)


def install(names: Iterable[str], fetch: Callable[[], Any], folder: str) -> None:
    """From now on an archive comes at the first import of one of these packages.

    Args:
        names: of the packages.
        fetch: gives the archive, as the site packs it, as one of JavaScript's buffers.
        folder: to unpack it into.
    """

    def unpack() -> None:
        archive = gzip.decompress(fetch().to_bytes())
        zipfile.ZipFile(io.BytesIO(archive)).extractall(folder)

    sys.meta_path.append(LateImports(list(names), unpack))
