"""The status of a page for its port: its model, its version, and whether it is computing."""

from __future__ import annotations

import time
from collections.abc import Callable

from ..board.board import Board
from ..components.order import Order
from ..model.scenario.structure import model_name
from ..session.state import AppState


class Status:
    """Implements `PageStatus` from the state of a page."""

    def __init__(self, state: AppState, board: Board) -> None:
        """Create the status of a page.

        Args:
            state: the state of the page.
            board: sends the frames of numbers.
        """
        self._state = state
        self._board = board
        self._ahead: float | None = None  # this clock minus the browser's clock, in seconds

    @property
    def model(self) -> str:
        """The name of the shown model."""
        return model_name(self._state.scenario)

    @property
    def version(self) -> int:
        """The number of changes to the page's matrices so far."""
        return self._state.version

    @property
    def kept_version(self) -> int:
        """The last version that changed the session stored in the browser tab."""
        return self._state.kept_version

    @property
    def awaited_frame(self) -> int:
        """The number of the frame that the browser has not painted yet; 0 without one."""
        return self._board.frames.in_flight

    @property
    def painted_version(self) -> int:
        """The last version of the matrices that the browser has painted; −1 without one."""
        return self._board.frames.painted

    def overtake(self) -> None:
        """Send the current numbers, although the browser has not painted the awaited frame."""
        self._board.frames.overtake()

    def is_ready(self, order: Order = Order.OF_SHOWN) -> bool:
        """Return whether an action may be applied now; by default, if all computations are done."""
        if order is Order.OVER:
            return not self._state.pending.is_held
        if order is Order.ON_TOP:
            return self._state.pending.accepts_edits(self._state.scenario)
        return order <= Order.LOOK or self._state.pending.is_settled

    def when_settled(self, function: Callable[[], None]) -> None:
        """Call a function when all computations are done; immediately if none is in progress."""
        self._state.pending.when_settled(function)

    def at(self, seconds: float | None) -> None:
        """Set the time of the next actions, by the browser's clock; None means now."""
        if seconds is not None and self._ahead is None:
            self._ahead = time.monotonic() - seconds
        self._state.at = None if seconds is None else seconds + (self._ahead or 0.0)

    def refusal(self) -> str:
        """Return why a request since the last call was refused, as a sentence; empty otherwise."""
        refused, self._state.refused = self._state.refused, ""
        return refused

    def say(self, sentence: str) -> None:
        """Show a notice over the page."""
        self._state.notice = sentence
