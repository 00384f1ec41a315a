"""The state of a page that its port needs to apply the user's actions in order."""

from collections.abc import Callable
from typing import Protocol

from ...components.order import Order


class PageStatus(Protocol):
    """The state of a page as a whole."""

    @property
    def model(self) -> str:
        """The name of the model shown; actions for another model are refused."""

    @property
    def version(self) -> int:
        """The number of changes to the page's matrices so far."""

    @property
    def kept_version(self) -> int:
        """The last version that changed what the browser tab stores."""

    @property
    def awaited_frame(self) -> int:
        """The number of the frame that the browser has not painted yet; 0 if there is none."""

    def overtake(self) -> None:
        """Send the present numbers, although the browser has not painted the awaited frame."""

    def is_ready(self, order: Order = Order.OF_SHOWN) -> bool:
        """Return whether an action may be applied now; by default, whether no computation runs."""

    def when_settled(self, function: Callable[[], None]) -> None:
        """Call a function when all computations are done; immediately if none is running."""

    def at(self, seconds: float | None) -> None:
        """Set the time of the actions that follow, by the browser's clock; None means now."""

    def refusal(self) -> str:
        """Return the reason why a request since the last call was refused, or an empty text."""

    def say(self, sentence: str) -> None:
        """Show a sentence over the page."""


class NoModel:
    """A page without a model, which computes everything immediately; see `PageStatus`."""

    model = ""
    version = 0
    kept_version = 0
    awaited_frame = 0

    def overtake(self) -> None:
        pass

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
