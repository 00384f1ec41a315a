"""Calls functions after all watchers of a change, whatever the order of the watchers."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


class AfterChanges:
    """Collects functions during a change and calls each function once when the change ends.

    A change that a watcher makes belongs to the same change.
    """

    def __init__(self) -> None:
        self._depth = 0
        self._due: dict[Callable[[], None], None] = {}

    @contextmanager
    def change(self) -> Iterator[None]:
        """Enclose a change; nested changes end with the outermost."""
        self._depth += 1
        try:
            yield
        finally:
            try:
                # Call the functions after an error in a watcher, too: the board may work when other
                # views fail.
                while self._depth == 1 and self._due:
                    function = next(iter(self._due))
                    del self._due[function]
                    function()
            finally:
                self._depth -= 1

    def call(self, function: Callable[[], None]) -> None:
        """Call a function after all watchers of a change, whatever the order of the watchers."""
        with self.change():
            self._due[function] = None
