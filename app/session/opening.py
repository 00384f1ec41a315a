"""A session that is to be opened: what takes long of it is done beside the page."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

from ..runtime.latest import Latest
from ..runtime.page_session import PageSession
from .restore import Found, Prepared, Reading, prepare, read
from .state import AppState

LONG = 10_000  # characters; reading them takes some milliseconds


class Preparing:
    """Until it can be opened at once, all others go on; of several the last one is opened."""

    def __init__(self, state: AppState, page: PageSession) -> None:
        """Nothing yet.

        Args:
            state: that is to be another.
            page: of which it is the state.
        """
        self._state = state
        self._beside = Latest(page)
        self._release: Callable[[], None] = _nothing

    def prepare(self, written: str, go_on: Callable[[Found], None]) -> None:
        """Go on when a session can be opened, at once if it is small.

        Args:
            written: the session as JSON.
            go_on: opens it.
        """
        found = None if len(written) > LONG else _read(written)
        if found is not None and not _is_large(found):
            self.forget()
            go_on(found)
            return
        self._release()  # of one that this overtakes
        self._release = release = self._state.hold()

        def make(check: Callable[[], None]) -> tuple[Found, Prepared | None]:
            opened = _read(written) if found is None else found
            if isinstance(opened, ValueError) or not opened.is_large:
                return opened, None
            check()
            return opened, prepare(opened.saved, check)

        def show(made: tuple[Found, Prepared | None]) -> None:
            opened, prepared = made
            try:
                with nullcontext() if prepared is None else self._state.adopting(*prepared):
                    go_on(opened)
            finally:
                release()

        def fail(said: str) -> None:
            try:
                go_on(found or ValueError(said))
            finally:
                release()

        self._beside.make(make, show, fail, is_large=True)

    def forget(self) -> None:
        """Nothing that was begun is to be opened."""
        self._beside.forget()
        self._release()


def _read(written: str) -> Found:
    try:
        return read(written)
    except ValueError as error:
        return error


def _is_large(found: Found) -> bool:
    return isinstance(found, Reading) and found.is_large


def _nothing() -> None:
    """Nothing waits yet."""
