"""Opens saved sessions: a long one is read, and its passes computed, in a thread."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

from ..runtime.background import LatestJob
from ..runtime.page_session import PageSession
from .restore import Found, Prepared, Reading, prepare, read
from .state import AppState

LONG = 10_000  # characters, which take some milliseconds to read


class SessionOpener:
    """Opens one session at a time; of several asked for, the newest is opened."""

    def __init__(self, state: AppState, page: PageSession) -> None:
        """
        Args:
            state: what the opened session replaces.
            page: the page of that state.
        """
        self._state = state
        self._job = LatestJob(page)
        self._release: Callable[[], None] = _nothing

    def open(self, written: str, restore: Callable[[Found], None]) -> None:
        """Restore a session as soon as its passes are computed, at once if they are cheap.

        Args:
            written: the session as JSON.
            restore: shows the session that was read, or why it could not be.
        """
        found = None if len(written) > LONG else _read(written)
        if found is not None and not _is_large(found):
            self.cancel()
            restore(found)
            return
        self._release()  # of one that this replaces
        self._release = release = self._state.hold()

        def compute(check: Callable[[], None]) -> tuple[Found, Prepared | None]:
            opened = _read(written) if found is None else found
            if isinstance(opened, ValueError) or not opened.is_large:
                return opened, None
            check()
            return opened, prepare(opened.saved, check)

        def show(result: tuple[Found, Prepared | None]) -> None:
            opened, prepared = result
            try:
                with nullcontext() if prepared is None else self._state.adopting(*prepared):
                    restore(opened)
            finally:
                release()

        def fail(said: str) -> None:
            try:
                restore(found or ValueError(said))
            finally:
                release()

        self._job.run(compute, show, fail, is_large=True)

    def cancel(self) -> None:
        """Open nothing of what was asked for."""
        self._job.cancel()
        self._release()


def _read(written: str) -> Found:
    try:
        return read(written)
    except ValueError as error:
        return error


def _is_large(found: Found) -> bool:
    return isinstance(found, Reading) and found.is_large


def _nothing() -> None:
    """No session is being opened."""
