"""What a port has to know of its page to carry out in order what is done there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ...order import Order


class PageStatus(Protocol):
    """A page as a whole, as its port knows it."""

    @property
    def model(self) -> str:
        """Which model is shown, by a name; what was meant for another one is refused."""

    @property
    def version(self) -> int:
        """Counts the changes of what is drawn."""

    @property
    def kept_version(self) -> int:
        """The last of them that changed what a tab keeps."""

    def is_ready(self, order: Order = Order.OF_SHOWN) -> bool:
        """Whether something may be done now; by itself: whether all that was done is there."""

    def when_settled(self, function: Callable[[], None]) -> None:
        """Call a function when all is there, at once if it is."""

    def at(self, seconds: float | None) -> None:
        """What is done from now on was done then, by the browser's clock; None: now."""

    def refusal(self) -> str:
        """Why what was asked for since the last call was refused, a sentence; empty: it was not."""

    def say(self, sentence: str) -> None:
        """Show a sentence over the page."""


class NoModel:
    """A page without a model, which computes everything at once; see `PageStatus`."""

    model = ""
    version = 0
    kept_version = 0

    def is_ready(self, order: Order = Order.OF_SHOWN) -> bool:  # noqa: ARG002
        return True

    def when_settled(self, function: Callable[[], None]) -> None:
        function()

    def at(self, seconds: float | None) -> None:
        pass

    def refusal(self) -> str:
        return ""

    def say(self, sentence: str) -> None:
        pass
