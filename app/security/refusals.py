"""What is refused of what browsers say, in the log: one short line each, and not too many."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

MOST = 20  # lines in so many seconds, of all pages of a process
SECONDS = 60.0
LONGEST = 160  # letters of a line

_LOG = logging.getLogger(__name__)


class Allowance:
    """So many lines in a while; what is beyond is counted."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since = float("-inf")
        self._told = self._untold = 0

    def spend(self) -> int | None:
        """How many lines before this one were kept back; None if this one is, too."""
        now = self._clock()
        if now - self._since >= SECONDS:
            self._since, self._told = now, 0
        if self._told >= MOST:
            self._untold += 1
            return None
        untold = self._untold
        self._told, self._untold = self._told + 1, 0
        return untold


class Refusals:
    """Tells of what was refused; of what is too much only how much it was."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._allowance = Allowance(clock)

    def tell(self, what: str) -> None:
        """Write a line, if there is room for one.

        Args:
            what: was refused; what of it a browser said goes through ``short``.
        """
        untold = self._allowance.spend()
        if untold is None:
            return
        more = f" ({untold} more were refused before)" if untold else ""
        _LOG.warning("Refused what a browser said: %.*s%s", LONGEST, what, more)


def short(raw: object) -> str:
    """What a browser said, as a line of a log may have it: few letters, and none but plain ones."""
    return ascii(raw[:40]) if isinstance(raw, str) else type(raw).__name__


tell = Refusals().tell
