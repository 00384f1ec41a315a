"""Logs rejected input from browsers: one short line each, at a limited rate."""

import logging
import time
from collections.abc import Callable

MOST = 20  # lines per period, for all pages of a process
SECONDS = 60.0
LONGEST = 160  # characters of a line

_LOG = logging.getLogger(__name__)


class Allowance:
    """A limited number of lines per period; further lines are counted."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since = float("-inf")
        self._written = self._suppressed = 0

    def spend(self) -> int | None:
        """Return the number of lines suppressed before this; None if this line is suppressed."""
        now = self._clock()
        if now - self._since >= SECONDS:
            self._since, self._written = now, 0
        if self._written >= MOST:
            self._suppressed += 1
            return None
        suppressed = self._suppressed
        self._written, self._suppressed = self._written + 1, 0
        return suppressed


class Refusals:
    """Logs rejected input; beyond the rate limit, logs only the number of rejections."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._allowance = Allowance(clock)

    def tell(self, what: str) -> None:
        """Log a rejection, if the rate limit allows; pass a browser's text through ``short``."""
        suppressed = self._allowance.spend()
        if suppressed is None:
            return
        more = f" ({suppressed} more were refused before)" if suppressed else ""
        _LOG.warning("Refused what a browser said: %.*s%s", LONGEST, what, more)


def short(raw: object) -> str:
    """Return text from a browser, cut and escaped for a log line; of other data only the type."""
    return ascii(raw[:40]) if isinstance(raw, str) else type(raw).__name__


tell = Refusals().tell
