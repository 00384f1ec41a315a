"""Limits NumPy's matrix products to one thread when several threads would wait for one another."""

from __future__ import annotations

import ctypes
import functools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

_NAMES = [
    (f"{prefix}_get_num_threads{end}", f"{prefix}_set_num_threads{end}")
    for prefix in ("scipy_openblas", "openblas")
    for end in ("64_", "")
]


class BlasThreads:
    """Switches the threads of OpenBLAS off for a while.

    Two Python threads that each use two threads of OpenBLAS wait for one another: a training step
    of a 64-wide model in two parts took 190 ms with OpenBLAS's threads and 31 ms without. An
    environment variable would have to be set before NumPy is imported and would apply to the whole
    process, but the passes of large models are faster with threads. If NumPy uses another library,
    nothing is changed.
    """

    def __init__(self) -> None:
        self._calls = _calls()
        self._lock = threading.Lock()
        self._users = 0
        self._before = 0

    @property
    def count(self) -> int | None:
        """The number of threads of a matrix product; None if unknown."""
        return None if self._calls is None else self._calls[0]()

    @contextmanager
    def one(self) -> Iterator[None]:
        """Use a single thread until the last context that requested it exits."""
        if self._calls is None:
            yield
            return
        get, put = self._calls
        with self._lock:
            self._users += 1
            if self._users == 1:
                self._before = get()
                put(1)
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                if self._users == 0:
                    put(self._before)


@functools.cache
def blas_threads() -> BlasThreads:
    """Return the switch of this process; its contexts may overlap."""
    return BlasThreads()


def _calls() -> tuple[Callable[[], int], Callable[[int], None]] | None:
    """Return the functions of NumPy's OpenBLAS that get and set its number of threads."""
    for path in libraries():
        try:
            library = ctypes.CDLL(path)
        except OSError:
            continue
        for get, put in _NAMES:
            if hasattr(library, get) and hasattr(library, put):
                return getattr(library, get), getattr(library, put)
    return None


def libraries() -> list[str]:
    """Return the paths of the loaded OpenBLAS libraries, then of those bundled with NumPy."""
    try:
        maps = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace")
        loaded = {line.split(maxsplit=5)[-1] for line in maps.splitlines() if "openblas" in line}
    except OSError:
        loaded = set()
    package = Path(np.__file__).parent
    shipped = [
        str(file)
        for folder in (package.with_name("numpy.libs"), package / ".dylibs")
        for file in sorted(folder.glob("*openblas*"))
    ]
    return [*sorted(loaded), *shipped]
