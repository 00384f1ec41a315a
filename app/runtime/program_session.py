"""The session of a page that a program made and goes on to change.

In a notebook what a browser says may be handled in another thread than the cells (JupyterLab runs
widgets in a subshell): one after the other they go through one lock.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from .page_session import PageSession

LOOK_SECONDS = 0.02


class ProgramSession(PageSession):
    """A page without a document; a browser that shows it comes and goes.

    Attributes:
        port_turn: holds together what changes for the browser that shows the page now, if any does.
        port_do: does something when the turn that is under way has reached that browser.
    """

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.RLock()
        self._closing: list[Callable[[], None]] = []
        self.port_turn: Callable[[], AbstractContextManager[None]] | None = None
        self.port_do: Callable[[Callable[[], None]], None] | None = None

    @property
    def has_viewers(self) -> bool:
        return self.port_turn is not None

    @contextmanager
    def changing(self) -> Iterator[None]:
        """What is done in here no one else does at the same time."""
        with self._lock, (self.port_turn or nullcontext)():
            yield

    def schedule(self, function: Callable[[], None]) -> None:
        with self._lock:
            if self.port_do is None:
                function()
            else:
                self.port_do(function)

    async def until(self, is_so: Callable[[], bool], seconds: float) -> bool:
        """Wait until something is so that another thread makes so; whether it is in time."""
        end = time.monotonic() + seconds
        while not is_so():
            if time.monotonic() >= end:
                return False
            await asyncio.sleep(LOOK_SECONDS)
        return True

    def on_close(self, function: Callable[[], None]) -> None:
        self._closing.append(function)

    def close(self) -> None:
        """Nobody comes back to the page."""
        closing, self._closing = self._closing, []
        with self._lock:
            for function in closing:
                function()
