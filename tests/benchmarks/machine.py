"""What this machine is, as far as it matters to figures: processor, cores, and the BLAS kernel."""

from __future__ import annotations

import ctypes
import os
import platform
from pathlib import Path
from typing import Any

import numpy as np
from tinkerformer.runtime.blas_threads import libraries

_NAMES = [
    f"{prefix}_get_corename{end}"
    for prefix in ("scipy_openblas", "openblas")
    for end in ("64_", "")
]


def machine() -> str:
    """Cores, the kind of the processor, NumPy and the kernel that its products run on."""
    info = Path("/proc/cpuinfo")
    told = info.read_text(encoding="utf-8") if info.is_file() else ""
    shared = "shared " * ("hypervisor" in told)
    return (
        f"{os.cpu_count()} {shared}cores of {_processor(told)}, NumPy {np.__version__} on {blas()}"
    )


def blas() -> str:
    """The library of the matrix products, and which of its kernels runs on this processor."""
    build: Any = np.show_config(mode="dicts")
    name = str(build["Build Dependencies"]["blas"]["name"])
    if "openblas" not in name:
        return name
    return f"OpenBLAS, kernel {kernel() or 'unknown'}"


def kernel() -> str | None:
    """OpenBLAS's own name of the kernel that it has taken; None where it does not tell."""
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
    """Its name and kind: AMD EPYC (x86-64)."""
    names = [line.partition(":")[2].strip() for line in told.splitlines() if "model name" in line]
    kind = platform.machine().replace("x86_64", "x86-64")
    name = names[0] if names else platform.processor()
    return f"{name} ({kind})" if name and name != platform.machine() else kind
