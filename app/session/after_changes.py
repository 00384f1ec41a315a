"""Runs functions once all watchers of a change have been called, whatever the order of these."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


class AfterChanges:
    """Collects functions during a change and calls each of them once at its end.

    A watcher may change something itself; that is part of the same change.
    """

    def __init__(self) -> None:
        self._depth = 0
        self._due: dict[Callable[[], None], None] = {}

    @contextmanager
    def change(self) -> Iterator[None]:
        """The extent of a change; changes inside another one end with the outermost."""
        self._depth += 1
        try:
            yield
        finally:
            try:
                # They also run after an error in a watcher: the board shows what other views fail
                # to show.
                while self._depth == 1 and self._due:
                    function = next(iter(self._due))
                    del self._due[function]
                    function()
            finally:
                self._depth -= 1

    def call(self, function: Callable[[], None]) -> None:
        """Runs functions after all watchers of a change were called, whatever their order."""
        with self.change():
            self._due[function] = None
