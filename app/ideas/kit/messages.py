"""The messages of what the pictures of ideas are drawn by."""

from typing import Annotated

from ...components.messages import AnyMessage
from ...plain_data import Within

MOST = 10_000_000  # of a kind that is drawn
Index = Annotated[int, Within(0, MOST)]
Number = Annotated[float, Within(-1e6, 1e6)]


class DragMessage(AnyMessage):
    """The part that all messages of a drag, or of an arrow key, have in common.

    Attributes:
        press: the number of the press of the pointer; 0 for the keyboard.
        held: whether the pointer still holds what is dragged.
    """

    press: Annotated[int, Within(0, 2**31)]
    held: bool


class MoveMessage(DragMessage):
    """What is dragged, by its index, and the coordinates in the plane that it is dragged to.

    Attributes:
        index: which one.
        x: across.
        y: up.
    """

    index: Index
    x: Number
    y: Number


class IndexMessage(AnyMessage):
    """One of what is shown, by its index."""

    index: Index
