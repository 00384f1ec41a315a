"""Opens saved sessions; a thread parses long sessions and computes expensive passes."""

from collections.abc import Callable
from contextlib import nullcontext

from ..transport.runtime.derived import Check, Derived
from ..transport.runtime.page_session import PageSession
from .restore import Found, Prepared, Reading, prepare, read
from .state import AppState

LONG = 10_000  # characters; parsing more takes some milliseconds


class SessionOpener:
    """Opens one session at a time; a newer request replaces the one in progress."""

    def __init__(self, state: AppState, page: PageSession) -> None:
        self._state = state
        self._opened: Derived[tuple[Found, Prepared | None]] = Derived(page, self._show)
        self._found: Found | None = None  # the session, if it was parsed inline
        self._restore: Callable[[Found], None] = lambda _found: None
        self._release: Callable[[], None] = lambda: None

    def open(self, written: str, restore: Callable[[Found], None]) -> None:
        """Restore a session (JSON) once its passes are computed, immediately if they are cheap.

        Call ``restore`` with the parsed session, or with the error that prevented parsing.
        """
        found = None if len(written) > LONG else _read(written)
        if found is not None and not _is_large(found):
            self.cancel()
            restore(found)
            return
        self._release()  # release the changes that an earlier request held back
        self._found, self._restore = found, restore
        self._release = self._state.pending.hold()

        def compute(check: Check) -> tuple[Found, Prepared | None]:
            opened = _read(written) if found is None else found
            if isinstance(opened, ValueError) or not opened.is_large:
                return opened, None
            check()
            return opened, prepare(opened.saved, check)

        if self._opened.want(object(), compute, "large").status != "pending":
            self._show()

    def _show(self) -> None:
        result, release = self._opened.result, self._release
        self._opened.drop()
        try:
            if result.value is None:
                self._restore(self._found or ValueError(result.note))
                return
            opened, prepared = result.value
            snapshots = self._state.snapshots
            with nullcontext() if prepared is None else snapshots.with_passes(*prepared):
                self._restore(opened)
        finally:
            release()

    def cancel(self) -> None:
        """Cancel the request in progress, if any."""
        self._opened.drop()
        self._release()


def _read(written: str) -> Found:
    try:
        return read(written)
    except ValueError as error:
        return error


def _is_large(found: Found) -> bool:
    return isinstance(found, Reading) and found.is_large
