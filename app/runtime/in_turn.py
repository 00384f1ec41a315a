"""Work of a page that takes a moment, each of it wanted: beside the page, one after the other."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from .concurrency import BackgroundTasks, run_in_thread
from .latest import FAILED, NO_MEMORY
from .page_session import PageSession

MOST = 8  # that are asked for and not done

TOO_MANY = "The page is still at work on what was asked before."
_LOG = logging.getLogger(__name__)


class InTurn:
    """Makes one thing after the other in a thread; what a page waited for that has gone is not."""

    def __init__(self, page: PageSession) -> None:
        self._page = page
        self._tasks = BackgroundTasks()
        self._lock = asyncio.Lock()
        self._waiting = 0
        self._is_over = False
        page.on_close(self._end)

    def _end(self) -> None:
        self._is_over = True

    def __call__(
        self,
        make: Callable[[], Any],
        show: Callable[[Any], None],
        fail: Callable[[str], None],
    ) -> None:
        """Make something and show it; at once where there is no event loop.

        Args:
            make: in a thread; a ValueError of it has the sentence for ``fail``.
            show: what was made.
            fail: says why nothing was, a sentence.
        """
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            _made(make, show, fail)()
            return
        if self._waiting >= MOST:
            fail(TOO_MANY)
            return
        self._waiting += 1
        self._tasks.start(self._make(make, show, fail))

    async def _make(
        self,
        make: Callable[[], Any],
        show: Callable[[Any], None],
        fail: Callable[[str], None],
    ) -> None:
        try:
            async with self._lock:
                if self._is_over:
                    return
                tell = await run_in_thread(partial(_made, make, show, fail))
                if not self._is_over:
                    await self._page.turn(tell)
        finally:
            self._waiting -= 1


def _made(
    make: Callable[[], Any], show: Callable[[Any], None], fail: Callable[[str], None]
) -> Callable[[], None]:
    """What is to be told, with the page."""
    try:
        return partial(show, make())
    except ValueError as error:
        return partial(fail, str(error))
    except MemoryError:
        return partial(fail, NO_MEMORY)
    except Exception:
        _LOG.exception("Work beside the page failed.")
        return partial(fail, FAILED)
