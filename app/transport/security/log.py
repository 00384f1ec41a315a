"""Limits a server's log: one line per record, little text from visitors, and a bounded rate.

Bokeh, Tornado and this project log text that a browser sent: messages, addresses, origins and
tokens. Without limits an attacker could fill the log, or forge records by sending line breaks.
"""

import logging
import time
import traceback
from collections.abc import Callable, Iterator

from .refusals import LONGEST, Allowance
from .refusals import __name__ as counted_already

CAUSES = 4  # chained causes logged for one error
_OWN = __name__.partition(".")[0]
NAMES = frozenset({"bokeh", "tornado", "panel", "param", "asyncio", _OWN})
_IS_WRITTEN = "is_written"


class OneLine(logging.Filter):
    """Shortens records of the loggers in ``NAMES`` and, beyond a rate limit, only counts them.

    The traceback of an error is kept in short form, so that developers can locate it.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._allowances: dict[tuple[str, int, bool], Allowance] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to write a record; every handler calls this, and gets the same result."""
        if record.name.partition(".")[0] not in NAMES or record.name == counted_already:
            return True
        if not hasattr(record, _IS_WRITTEN):
            setattr(record, _IS_WRITTEN, self._is_written(record))
        return bool(getattr(record, _IS_WRITTEN))

    def _is_written(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        suppressed = 0
        # Debug records are not limited, because whoever enables them needs every record.
        if record.levelno >= logging.INFO:
            kind = (record.name, record.levelno, error is not None)
            allowance = self._allowances.setdefault(kind, Allowance(self._clock))
            spent = allowance.spend()
            if spent is None:
                return False
            suppressed = spent
        more = f" ({suppressed} more before this one were not written)" if suppressed else ""
        record.msg, record.args = f"{_said(record)}{more}", None
        if error is not None:
            record.exc_text, record.exc_info = _way(error), None
        return True


def _said(record: logging.LogRecord) -> str:
    """Return the text of a record, shortened and reduced to plain characters."""
    try:
        said = record.getMessage()
    except Exception as error:  # text from a browser that cannot be formatted
        said = f"A record that cannot be written: {type(error).__name__}"
    return ascii(said[:LONGEST])[1:-1][:LONGEST]


def _way(error: BaseException | None) -> str:
    """Return the traceback of an error and of its causes, the first cause first."""
    parts: list[str] = []
    while error is not None and len(parts) < CAUSES:
        way = "".join(traceback.format_tb(error.__traceback__))
        message = ascii(str(error)[:LONGEST])[:LONGEST]
        parts.append(f"Traceback (most recent call last):\n{way}{type(error).__name__}: {message}")
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "\n\n".join(reversed(parts))


one_line = OneLine()


def log_in_short() -> None:
    """Install the filter on all log handlers of this process; repeated calls have no effect."""
    for handler in handlers():
        handler.addFilter(one_line)


def handlers() -> Iterator[logging.Handler]:
    """Yield all handlers that write records of these loggers."""
    yield from logging.getLogger().handlers
    if logging.lastResort is not None:
        yield logging.lastResort
    for name, logger in logging.root.manager.loggerDict.items():
        if isinstance(logger, logging.Logger) and name.partition(".")[0] in NAMES:
            yield from logger.handlers
