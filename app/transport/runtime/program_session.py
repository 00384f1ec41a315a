"""The session of a page that is created and changed by a Python program.

A notebook may handle messages from the browser in another thread than its cells (JupyterLab runs
widgets in a subshell), so both threads take the same lock.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from .concurrency import at_home
from .page_session import PageSession

LOOK_SECONDS = 0.02


class ProgramSession(PageSession):
    """A page session without a Bokeh document; browsers that display it connect and disconnect."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.RLock()
        self._closing: list[Callable[[], None]] = []
        # Groups changes for the connected browser, if there is one.
        self.port_turn: Callable[[], AbstractContextManager[None]] | None = None
        # Runs a function after the current group of changes was sent.
        self.port_do: Callable[[Callable[[], None]], None] | None = None
        # Handles the browser's messages; a program may change the page in another thread.
        self.home: asyncio.AbstractEventLoop | None = None

    @property
    def has_viewers(self) -> bool:
        return self.port_turn is not None

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Hold the lock, so that no other thread changes the page."""
        with self._lock, at_home(self.home), (self.port_turn or nullcontext)():
            yield

    def schedule(self, function: Callable[[], None]) -> None:
        with self._lock:
            if self.port_do is None:
                function()
            else:
                self.port_do(function)

    async def until(self, is_so: Callable[[], bool], seconds: float) -> bool:
        """Wait for a condition that another thread makes true, and return whether it is true."""
        end = time.monotonic() + seconds
        while not is_so():
            if time.monotonic() >= end:
                return False
            await asyncio.sleep(LOOK_SECONDS)
        return True

    def on_close(self, function: Callable[[], None]) -> None:
        self._closing.append(function)

    def close(self) -> None:
        """Close the session; no browser can connect to it any more."""
        closing, self._closing = self._closing, []
        with self._lock:
            for function in closing:
                function()
