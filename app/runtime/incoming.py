"""How large a message may be in all its parts, and how little of one that is none is logged.

A message is a header, its metadata, its content, and any number of bytes beside it; a server limits
each of them alone. What cannot be read Bokeh writes to the log whole.
"""

from __future__ import annotations

import sys
from typing import Any

from .faults import log_faults_in_short
from .wrapping import Method, wrap_once

LONGEST_HEADER = 1000
LONGEST_REASON = 80


def limit_messages(most: int) -> None:
    """Close a socket that sends more than so many bytes in one message, in this process."""
    if sys.platform == "emscripten":
        return

    from bokeh.protocol.exceptions import ValidationError
    from bokeh.protocol.receiver import Receiver

    def measured(found: Method) -> Method:
        async def consume(self: Any, fragment: str | bytes) -> Any:
            begins = self._current_consumer == self._HEADER
            before = 0 if begins else getattr(self, "bytes_before", 0)
            data = fragment.encode() if isinstance(fragment, str) else fragment
            self.bytes_before = before + len(data)
            if self.bytes_before > most:
                raise ValidationError("a message is too large")
            return await found(self, fragment)

        return consume

    wrap_once(Receiver, "consume", measured)


def log_little() -> None:
    """Keep what a browser sent out of the log, but for a few words; for all of this process."""
    if sys.platform == "emscripten":
        return

    from bokeh.protocol.exceptions import ValidationError
    from bokeh.protocol.message import Message
    from bokeh.protocol.receiver import Receiver

    def in_few_words(found: Method) -> Method:
        async def consume(self: Any, fragment: str | bytes) -> Any:
            if self._current_consumer == self._HEADER and len(fragment) > LONGEST_HEADER:
                raise ValidationError("a header is too long")
            try:
                return await found(self, fragment)
            except Exception as error:
                raise ValidationError(ascii(str(error))[:LONGEST_REASON]) from None

        return consume

    def only_its_kind(_found: Method) -> Method:
        def __repr__(self: Any) -> str:
            return f"a message {ascii(self.msgtype)[:LONGEST_REASON]}"

        return __repr__

    log_faults_in_short()
    wrap_once(Receiver, "consume", in_few_words)
    wrap_once(Message, "__repr__", only_its_kind)
