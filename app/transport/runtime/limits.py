"""Resource limits of one process, set by its owner in environment variables.

No message from a visitor can change them.
"""

import os
import sys
from pathlib import Path
from typing import NamedTuple

from transformer_math.checkpoints import safetensors


class Limit(NamedTuple):
    """A resource limit of one process."""

    variable: str  # of the environment
    usual: int | None  # None for no limit
    about: str  # in a few words

    def value(self) -> int | None:
        """Return the configured value or the default; ``ValueError`` if it is not positive."""
        raw = os.environ.get(self.variable, "").strip()
        if not raw:
            return self.usual
        if not raw.isdecimal() or int(raw) < 1:
            raise ValueError(f"{self.variable} is a whole number from 1, not {raw!r:.40}.")
        return int(raw)


# Measured with one edit per second on each page: 100 pages use three quarters of a processor (see
# the page on hosting) and get answers in 10 ms; 200 pages opened together waited 1 to 2 s.
SESSIONS = Limit("TINKERFORMER_MAX_SESSIONS", 100, "largest number of open pages (100)")
OPENING = Limit(
    "TINKERFORMER_MAX_OPENING",
    100,
    "pages that were requested but are not connected yet; beyond it the oldest is dropped (100)",
)
MEMORY = Limit(
    "TINKERFORMER_MAX_MEMORY", None, "memory in MB above which no more pages open (no limit)"
)
UPLOAD = Limit("TINKERFORMER_MAX_UPLOAD", 64, "size in MB of a model that is uploaded (64)")
TRAININGS = Limit("TINKERFORMER_MAX_TRAININGS", None, "training runs at once (one per processor)")
SLOW = Limit(
    "TINKERFORMER_SLOW_EVENT",
    None,
    "time in ms that one event may block all pages before a line is logged (no logging)",
)
# The largest message from a browser: a piece of an uploaded file, or a saved session.
MESSAGE_BYTES = 4 << 20

LIMITS = (SESSIONS, OPENING, MEMORY, UPLOAD, TRAININGS, SLOW)


def check() -> None:
    """Raise ``ValueError`` with one sentence if an environment variable cannot be parsed."""
    for limit in LIMITS:
        limit.value()


def has_room(sessions: int) -> bool:
    """Return whether this process may open another page."""
    most, memory = SESSIONS.value(), MEMORY.value()
    if most is not None and sessions >= most:
        return False
    return memory is None or _megabytes() < memory


def upload_bytes() -> int:
    """Return the largest upload in bytes: the smaller of the owner's and the parser's limits."""
    return min((UPLOAD.value() or 0) << 20 or safetensors.MAX_BYTES, safetensors.MAX_BYTES)


def _megabytes() -> float:
    """Return the resident memory of this process in megabytes; 0 if it cannot be measured."""
    if sys.platform != "linux":
        return 0.0
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
