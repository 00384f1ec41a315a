"""Declares the messages of the figures in the pictures of ideas."""

from typing import Annotated

from ...components.messages import AnyMessage
from ...plain_data import Within

MOST = 10_000_000  # the most items of a kind in a figure
Index = Annotated[int, Within(0, MOST)]
Number = Annotated[float, Within(-1e6, 1e6)]


class DragMessage(AnyMessage):
    """The common fields of all messages of a drag, or of an arrow key."""

    # The number of the press of the pointer; 0 for the keyboard.
    press: Annotated[int, Within(0, 2**31)]
    held: bool  # whether the pointer still holds the dragged item


class MoveMessage(DragMessage):
    """The index of a dragged item, and its new coordinates in the plane."""

    index: Index
    x: Number
    y: Number


class IndexMessage(AnyMessage):
    """The index of a shown item."""

    index: Index
