"""Errors of the page in the log: where each arose, little of what a browser said, not without end.

What goes wrong is told with its traceback, which shows developers the way through the code. Its
message may repeat what came from a browser, and whoever finds such an error can raise it at will.
"""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Callable

MOST = 20  # tracebacks in so many seconds, of all pages of a process
SECONDS = 60.0
LONGEST = 160  # letters of an error's message, and of what is said beside it
CAUSES = 4  # that are told of one error

# Where libraries and this project log what was raised while an event was handled.
_OWN = __name__.partition(".")[0]
_MODULES = (
    *("components.board.board", "components.carriers.port.port_page"),
    *("runtime.latest", "runtime.in_turn", "restoring"),
)
LOGGERS = (
    *("bokeh.server.protocol_handler", "bokeh.server.views.ws", "bokeh.util.tornado"),
    *("tornado.application", "asyncio"),
    *(f"{_OWN}.{module}" for module in _MODULES),
)


class Faults(logging.Filter):
    """Cuts the messages of errors that are logged; of too many tells only how many they were."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._since = float("-inf")
        self._told = self._untold = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is written."""
        error = record.exc_info[1] if record.exc_info else None
        if error is None:
            return True
        now = self._clock()
        if now - self._since >= SECONDS:
            self._since, self._told = now, 0
        if self._told >= MOST:
            self._untold += 1
            return False
        more = f" ({self._untold} more went wrong before)" if self._untold else ""
        self._told, self._untold = self._told + 1, 0
        said = ascii(record.getMessage()[:LONGEST])[1:-1]
        record.msg, record.args = f"{said}{more}", None
        record.exc_text, record.exc_info = _told(error), None
        return True


def _told(error: BaseException | None) -> str:
    """The way to an error and to what caused it, from the first cause on."""
    parts: list[str] = []
    while error is not None and len(parts) < CAUSES:
        way = "".join(traceback.format_tb(error.__traceback__))
        message = ascii(str(error))[:LONGEST]
        parts.append(f"Traceback (most recent call last):\n{way}{type(error).__name__}: {message}")
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "\n\n".join(reversed(parts))


_faults = Faults()


def log_faults_in_short() -> None:
    """From now on, in this process; twice is harmless."""
    for name in LOGGERS:
        logging.getLogger(name).addFilter(_faults)
