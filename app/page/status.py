"""What a port has to know of a page: its model, what it holds, and whether it is at work."""

from __future__ import annotations

import time
from collections.abc import Callable

from ..components.order import Order
from ..scenario.structure import model_name
from ..session.state import AppState


class Status:
    """The status of a page, out of its state; what a port asks for."""

    def __init__(self, state: AppState) -> None:
        self._state = state
        self._ahead: float | None = None  # how far this clock is ahead of the browser's

    @property
    def model(self) -> str:
        """Which model is shown, by a name."""
        return model_name(self._state.scenario)

    @property
    def version(self) -> int:
        """Counts the changes of what is drawn."""
        return self._state.version

    @property
    def kept_version(self) -> int:
        """The last of them that changed what is kept."""
        return self._state.kept_version

    def is_ready(self, order: Order = Order.OF_SHOWN) -> bool:
        """Whether something may be done now; by itself: whether all that was done is there."""
        if order is Order.OVER:
            return not self._state.is_held
        if order is Order.ON_TOP:
            return self._state.may_set_numbers
        return order <= Order.LOOK or self._state.is_settled

    def when_settled(self, function: Callable[[], None]) -> None:
        """Call a function when all is there, at once if it is."""
        self._state.when_settled(function)

    def at(self, seconds: float | None) -> None:
        """What is done from now on was done then, by the browser's clock; None: now."""
        if seconds is not None and self._ahead is None:
            self._ahead = time.monotonic() - seconds
        self._state.at = None if seconds is None else seconds + (self._ahead or 0.0)

    def refusal(self) -> str:
        """Why what was asked for since the last call was refused, a sentence; empty: it was not."""
        refused, self._state.refused = self._state.refused, ""
        return refused

    def say(self, sentence: str) -> None:
        """Show a sentence over the page."""
        self._state.notice = sentence
