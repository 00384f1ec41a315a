"""The page that code belongs to, whoever shows it: its turn, its viewers, its end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

GONE_SECONDS = 20.0


class PageSession:
    """A page that nobody shows: everything happens at once, and it never ends."""

    @property
    def has_viewers(self) -> bool:
        """Whether a browser still shows it."""
        return True

    @property
    def person(self) -> str:
        """Where its reader comes from, as far as an address tells; empty where none does."""
        return ""

    def schedule(self, function: Callable[[], None]) -> None:
        """Change the page from outside an event: as soon as it is free."""
        function()

    async def turn(self, function: Callable[[], None]) -> None:
        """Change the page from outside an event, and come back when that is done.

        Where the page is gone meanwhile nobody waits for it longer than a moment.
        """
        done = asyncio.get_running_loop().create_future()

        def call() -> None:
            try:
                function()
            finally:
                if not done.done():
                    done.set_result(None)

        self.schedule(call)
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(done, GONE_SECONDS)

    def on_close(self, function: Callable[[], None]) -> None:
        """Call a function when nobody can come back to the page."""
