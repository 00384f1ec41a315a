"""The session of a page, which runs changes, and reports viewers and the end of the page."""

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
        """Run a change that no event causes, as soon as no other change runs."""
        function()

    async def turn(self, function: Callable[[], None]) -> None:
        """Run a change that no event causes, and return when it is done.

        If the page is closed meanwhile, return after ``GONE_SECONDS``.
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
