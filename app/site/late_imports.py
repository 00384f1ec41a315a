"""Loads an archive of modules when the first of them is imported."""

import gzip
import importlib
import io
import sys
import zipfile
from collections.abc import Callable, Iterable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any


class LateImports(MetaPathFinder):
    """An import finder that unpacks the archive at the first import of one of its modules."""

    def __init__(self, names: Iterable[str], unpack: Callable[[], None], folder: str) -> None:
        self.names = frozenset(names)  # a package stands for all of its modules
        self.folder = folder  # into which the archive is unpacked
        self._unpack = unpack
        self._is_there = False

    def find_spec(
        self, name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, _ = name.partition(".")
        if name not in self.names and package not in self.names:
            return None
        if not self._is_there:
            self._unpack()  # if it fails, the next import tries again
            self._is_there = True
            importlib.invalidate_caches()
        # Other modules of the same package may be in another folder.
        parents = name.split(".")[:-1]
        return PathFinder.find_spec(name, [str(Path(self.folder, *parents))])


def install(names: Iterable[str], fetch: Callable[[], Any], folder: str) -> None:
    """Install a finder that loads an archive at the first import of one of its modules.

    ``fetch`` returns the packed archive as a JavaScript buffer; see `LateImports`.
    """

    def unpack() -> None:
        archive = gzip.decompress(fetch().to_bytes())
        zipfile.ZipFile(io.BytesIO(archive)).extractall(folder)

    sys.meta_path.append(LateImports(list(names), unpack, folder))
