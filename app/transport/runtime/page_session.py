"""The session that a page's code runs in: how to change the page, who views it, when it closes."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

GONE_SECONDS = 20.0


class PageSession:
    """A page session without a browser: changes run immediately, and it never closes."""

    @property
    def has_viewers(self) -> bool:
        """Whether a browser is connected."""
        return True

    @property
    def person(self) -> str:
        """Identifies the user by network address; empty if unknown."""
        return ""

    def schedule(self, function: Callable[[], None]) -> None:
        """Change the page from outside an event, as soon as it is free."""
        function()

    async def turn(self, function: Callable[[], None]) -> None:
        """Change the page from outside an event, and return when that is done.

        If the page is closed meanwhile, returns after a moment.
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
        """Call a function once the session is closed for good."""
