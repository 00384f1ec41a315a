"""What a server logs: each record on one line, little of what a visitor said, and not without end.

Bokeh, Tornado and this project quote what came from a browser: its messages, addresses, origins and
tokens. Whoever finds such a record can have it written at will, with lines of its own in it.
"""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Callable, Iterator

from .refusals import LONGEST, Allowance
from .refusals import __name__ as counted_already

CAUSES = 4  # that are told of one error
_OWN = __name__.partition(".")[0]
NAMES = frozenset({"bokeh", "tornado", "panel", "param", "asyncio", _OWN})
_TOLD = "is_told"


class OneLine(logging.Filter):
    """Cuts what is logged under ``NAMES``; of too much of one kind only the number is told.

    An error is told with its traceback, which shows developers the way through the code.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._allowances: dict[tuple[str, int, bool], Allowance] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is written; each of several handlers asks."""
        if record.name.partition(".")[0] not in NAMES or record.name == counted_already:
            return True
        if not hasattr(record, _TOLD):
            setattr(record, _TOLD, self._is_told(record))
        return bool(getattr(record, _TOLD))

    def _is_told(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        untold = 0
        # Who asks for what is below INFO wants all of it.
        if record.levelno >= logging.INFO:
            kind = (record.name, record.levelno, error is not None)
            allowance = self._allowances.setdefault(kind, Allowance(self._clock))
            spent = allowance.spend()
            if spent is None:
                return False
            untold = spent
        more = f" ({untold} more before this one were not written)" if untold else ""
        record.msg, record.args = f"{_said(record)}{more}", None
        if error is not None:
            record.exc_text, record.exc_info = _way(error), None
        return True


def _said(record: logging.LogRecord) -> str:
    """What a record says, in few letters and none but plain ones."""
    try:
        said = record.getMessage()
    except Exception as error:  # of what a browser said, which cannot be written
        said = f"A record that cannot be written: {type(error).__name__}"
    return ascii(said[:LONGEST])[1:-1][:LONGEST]


def _way(error: BaseException | None) -> str:
    """The way to an error and to what caused it, from the first cause on."""
    parts: list[str] = []
    while error is not None and len(parts) < CAUSES:
        way = "".join(traceback.format_tb(error.__traceback__))
        message = ascii(str(error)[:LONGEST])[:LONGEST]
        parts.append(f"Traceback (most recent call last):\n{way}{type(error).__name__}: {message}")
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "\n\n".join(reversed(parts))


one_line = OneLine()


def log_in_short() -> None:
    """From now on, in this process and for all who write its log; twice is harmless."""
    for handler in handlers():
        handler.addFilter(one_line)


def handlers() -> Iterator[logging.Handler]:
    """All that write records of these names."""
    yield from logging.getLogger().handlers
    if logging.lastResort is not None:
        yield logging.lastResort
    for name, logger in logging.root.manager.loggerDict.items():
        if isinstance(logger, logging.Logger) and name.partition(".")[0] in NAMES:
            yield from logger.handlers
