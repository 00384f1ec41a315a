"""The places that a reader has visited in a landscape, in their order."""

from collections.abc import Callable
from typing import NamedTuple

Point = tuple[float, float]
MOST = 30  # places that are kept
SAME = 1e-6  # coordinates nearer to each other are the same place


class Visited(NamedTuple):
    """A place, and the loss there."""

    x: float
    y: float
    loss: float


class Track:
    """Grows by each move that has come to rest; another change of the numbers ends it.

    Attributes:
        places: from where the first move began to where the last one ended.
    """

    def __init__(self) -> None:
        self.places: list[Visited] = []
        self._is_moving = False
        self._press = 0  # of the last move

    def clear(self) -> None:
        """Forget the places."""
        self.places, self._is_moving = [], False

    def move(self, start: Point, loss: Callable[[float, float], float], press: int = 0) -> None:
        """Note that a move begins or goes on, and from where.

        Args:
            start: where the model is.
            loss: of a place.
            press: of the pointer that moves it; 0 for a move by itself. Another press also ends
                the move before, which may not have come to rest yet.
        """
        if self._is_moving and (not press or press != self._press):
            self.rest(start, loss)
        self._press = press
        if not self.places:
            self.places = [Visited(*start, loss(*start))]
        self._is_moving = True

    def rest(self, place: Point, loss: Callable[[float, float], float]) -> None:
        """Note where the model is, while nothing is dragged."""
        found = Visited(*place, loss(*place))
        same = [k for k, each in enumerate(self.places) if _is_same(each, found)]
        if self._is_moving and not (same and same[-1] == len(self.places) - 1):
            self.places = [*self.places, found][-MOST:]
        elif not self._is_moving:  # a step was undone, or something else has moved
            self.places = self.places[: same[-1] + 1] if same else []
        self._is_moving = False
        if len(self.places) == 1:
            self.places = []


def _is_same(one: Visited, other: Visited) -> bool:
    return abs(one.x - other.x) <= SAME and abs(one.y - other.y) <= SAME
