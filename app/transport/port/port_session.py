"""The session of a page behind a port."""

from collections.abc import Callable

from ..runtime.page_session import PageSession

Do = Callable[[Callable[[], None]], None]


class PortSession(PageSession):
    """A session with one viewer, which ends when the viewer leaves."""

    def __init__(self, do: Do) -> None:
        """Create an open session; ``do`` runs a change of the page that no event causes."""
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
        """End the session; its viewer cannot reconnect."""
        self._is_open = False
        closing, self._on_close = self._on_close, []
        for function in closing:
            function()
