"""Memory that is given back to the system after every step and asked for again by the next."""

from __future__ import annotations

import ctypes
import sys

# Parameters of glibc's mallopt (malloc.h).
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_KEPT = 256 << 20
_OWN_MAPPING = 32 << 20  # the largest that glibc takes


def keep_freed_memory() -> bool:
    """Let this process keep up to 256 MB of what it frees, to use it again; give whether it does.

    A training step takes some ten to a hundred megabytes in pieces and frees them all at its
    end. glibc then returns them to the system, which has to hand out fresh, zeroed pages for
    the next step: a third of a small model's step was spent on that. Elsewhere nothing is done.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return False  # another C library
    return bool(mallopt(_TRIM_THRESHOLD, _KEPT) and mallopt(_MMAP_THRESHOLD, _OWN_MAPPING))
