"""What one process takes on at most, as its owner sets it in the environment.

Whoever hosts a page for many decides this; nothing a visitor says changes it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NamedTuple

from transformer_math.checkpoints import safetensors


class Limit(NamedTuple):
    """A limit of one process.

    Attributes:
        variable: its name in the environment.
        usual: what holds if nothing is said; None: there is none.
        about: in a few words.
    """

    variable: str
    usual: int | None
    about: str

    def value(self) -> int | None:
        """What it is set to.

        Raises:
            ValueError: the environment asks for something else than a whole number from 1.
        """
        raw = os.environ.get(self.variable, "").strip()
        if not raw:
            return self.usual
        if not raw.isdecimal() or int(raw) < 1:
            raise ValueError(f"{self.variable} is a whole number from 1, not {raw!r:.40}.")
        return int(raw)


# With an edit a second in each, 100 take three quarters of a processor (the page on hosting has the
# measurement) and are answered in 10 ms; 200 were all let in once, and waited one to two seconds.
SESSIONS = Limit("TINKERFORMER_MAX_SESSIONS", 100, "pages that are open at once (100)")
OPENING = Limit(
    "TINKERFORMER_MAX_OPENING",
    100,
    "pages that were asked for and are not connected yet; of more the oldest is forgotten (100)",
)
MEMORY = Limit(
    "TINKERFORMER_MAX_MEMORY", None, "MB above which no further page is opened (no limit)"
)
UPLOAD = Limit("TINKERFORMER_MAX_UPLOAD", 64, "MB of a model that is sent to the page (64)")
TRAININGS = Limit(
    "TINKERFORMER_MAX_TRAININGS", None, "trainings that run at once (one a processor)"
)
SLOW = Limit(
    "TINKERFORMER_SLOW_EVENT",
    None,
    "ms that one event may keep all pages waiting before a line is logged (no line)",
)
# Of one message out of a browser: a part of a file that is sent, or a saved session.
MESSAGE_BYTES = 4 << 20

LIMITS = (SESSIONS, OPENING, MEMORY, UPLOAD, TRAININGS, SLOW)


def check() -> None:
    """All of them can be read.

    Raises:
        ValueError: one cannot; one sentence.
    """
    for limit in LIMITS:
        limit.value()


def has_room(sessions: int) -> bool:
    """Whether this process may open another page beside so many."""
    most, memory = SESSIONS.value(), MEMORY.value()
    if most is not None and sessions >= most:
        return False
    return memory is None or _megabytes() < memory


def upload_bytes() -> int:
    """Of files that are sent to a page: what its owner lets in, no more than is read at all."""
    return min((UPLOAD.value() or 0) << 20 or safetensors.MAX_BYTES, safetensors.MAX_BYTES)


def _megabytes() -> float:
    """What this process holds in memory; 0 where the system does not tell."""
    if sys.platform != "linux":
        return 0.0
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
