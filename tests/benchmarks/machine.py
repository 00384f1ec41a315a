"""The properties of this machine that affect times: processor, BLAS kernel, load (Linux)."""

from __future__ import annotations

import ctypes
import os
import platform
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from transformer_math.training.blas_threads import libraries

_NAMES = [
    f"{prefix}_get_corename{end}"
    for prefix in ("scipy_openblas", "openblas")
    for end in ("64_", "")
]

WATCHED = 5.0  # seconds in which the use of the processors is measured


class Load(NamedTuple):
    """The load of the machine before the measurements.

    Attributes:
        average: processes that run or wait for a processor, the mean of the last minute.
        used: the share of all processors' time that is used, in parts of 1.
    """

    average: float
    used: float

    def __str__(self) -> str:
        return f"load average {self.average:.2f}, {100 * self.used:.0f} % of the processors used"

    def is_above(self, allowed: Load) -> bool:
        """Return whether one of the two numbers is larger than allowed."""
        return any(found > most for found, most in zip(self, allowed, strict=True))


ALLOWED = Load(0.5 * (os.cpu_count() or 1), 0.1)


def load() -> Load:
    """Return the load of the last minute, and the processors' use in the next seconds."""
    before = _times()
    time.sleep(WATCHED)
    passed = [after - start for after, start in zip(_times(), before, strict=True)]
    return Load(os.getloadavg()[0], 1 - sum(passed[3:5]) / sum(passed))


def _times() -> list[int]:
    """Ticks of all processors since the start: user, nice, system, idle, waiting for disks, …"""
    first = Path("/proc/stat").read_text(encoding="ascii").partition("\n")[0]
    return [int(ticks) for ticks in first.split()[1:9]]


def machine() -> str:
    """Return the cores, the processor, the version of NumPy, and the BLAS kernel."""
    info = Path("/proc/cpuinfo")
    told = info.read_text(encoding="utf-8") if info.is_file() else ""
    shared = "shared " * ("hypervisor" in told)
    return (
        f"{os.cpu_count()} {shared}cores of {_processor(told)}, NumPy {np.__version__} on {blas()}"
    )


def blas() -> str:
    """Return the BLAS library, and the kernel that it uses on this processor."""
    build: Any = np.show_config(mode="dicts")
    name = str(build["Build Dependencies"]["blas"]["name"])
    if "openblas" not in name:
        return name
    return f"OpenBLAS, kernel {kernel() or 'unknown'}"


def kernel() -> str | None:
    """Return OpenBLAS's name of its kernel; None if it cannot be read."""
    for path in libraries():
        try:
            library = ctypes.CDLL(path)
        except OSError:
            continue
        for name in _NAMES:
            if hasattr(library, name):
                ask = getattr(library, name)
                ask.argtypes, ask.restype = (), ctypes.c_char_p
                return str(ask().decode())
    return None


def _processor(told: str) -> str:
    """Return the name and kind of the processor, such as AMD EPYC (x86-64)."""
    names = [line.partition(":")[2].strip() for line in told.splitlines() if "model name" in line]
    kind = platform.machine().replace("x86_64", "x86-64")
    name = names[0] if names else platform.processor()
    return f"{name} ({kind})" if name and name != platform.machine() else kind
