"""The session of a page behind a port."""

from __future__ import annotations

from collections.abc import Callable

from ....runtime.page_session import PageSession

Do = Callable[[Callable[[], None]], None]


class PortSession(PageSession):
    """It has one viewer, until that is gone."""

    def __init__(self, do: Do) -> None:
        """A session that goes on.

        Args:
            do: changes the page from outside an event.
        """
        self._do = do
        self._on_close: list[Callable[[], None]] = []
        self._is_open = True

    @property
    def has_viewers(self) -> bool:
        return self._is_open

    def schedule(self, function: Callable[[], None]) -> None:
        self._do(function)

    def on_close(self, function: Callable[[], None]) -> None:
        self._on_close.append(function)

    def close(self) -> None:
        """Nobody can come back to it."""
        self._is_open = False
        closing, self._on_close = self._on_close, []
        for function in closing:
            function()
