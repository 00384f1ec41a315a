"""Records the visited places of a landscape, in order."""

from collections.abc import Callable
from typing import NamedTuple

Point = tuple[float, float]
MOST = 30  # the most places that are kept
SAME = 1e-6  # places with a smaller difference of coordinates are the same


class Visited(NamedTuple):
    """A place, and the loss there."""

    x: float
    y: float
    loss: float


class Track:
    """The visited places: a finished move adds one, undo removes some, other changes remove all."""

    def __init__(self) -> None:
        # The start of the first move, followed by the end of each move.
        self.places: list[Visited] = []
        self._is_moving = False
        self._press = 0  # the press of the last move

    def clear(self) -> None:
        self.places, self._is_moving = [], False

    def move(self, start: Point, loss: Callable[[float, float], float], press: int = 0) -> None:
        """Record that a move from ``start``, the place of the model, begins or continues.

        A new ``press`` of the pointer, or 0 for a move without one, first ends an unfinished move.
        """
        if self._is_moving and (not press or press != self._press):
            self.rest(start, loss)
        self._press = press
        if not self.places:
            self.places = [Visited(*start, loss(*start))]
        self._is_moving = True

    def rest(self, place: Point, loss: Callable[[float, float], float]) -> None:
        """Record the model's place while nothing is being dragged."""
        found = Visited(*place, loss(*place))
        same = [k for k, each in enumerate(self.places) if _is_same(each, found)]
        if self._is_moving and not (same and same[-1] == len(self.places) - 1):
            self.places = [*self.places, found][-MOST:]
        elif not self._is_moving:  # undo, or a change from elsewhere
            self.places = self.places[: same[-1] + 1] if same else []
        self._is_moving = False
        if len(self.places) == 1:
            self.places = []


def _is_same(one: Visited, other: Visited) -> bool:
    return abs(one.x - other.x) <= SAME and abs(one.y - other.y) <= SAME
