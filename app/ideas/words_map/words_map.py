"""Declares the figure of the map of words: points in a plane, one chosen and draggable."""

from collections.abc import Hashable
from typing import ClassVar

import param

from ...components.component import Message
from ...components.messages import AnyMessage, StepMessage
from ...components.order import Order
from ..kit.figure import Figure
from ..kit.messages import Index, IndexMessage, MoveMessage


class DropMessage(IndexMessage):
    """Drop a word on another word."""

    onto: Index  # the index of the other word
    whole: bool  # whether the word moves in all dimensions, or only in the drawn plane


class WordsMap(Figure):
    """Points with names."""

    value = param.Integer(default=-1, doc="The index of the chosen word; −1 for none.")

    of = param.String(default="", doc="The matrix whose rows are drawn; its rows may be moved.")

    names = param.List(default=[], doc="The name of each word.")

    points = param.List(default=[], doc="The place of each word: pairs of x and y.")

    strong = param.List(default=[], doc="The indices of words of the text.")

    ghosts = param.List(default=[], doc="Other words that cannot be moved: name, x, y.")

    trails = param.List(default=[], doc="The path of each word until now: pairs of x and y.")

    extent = param.List(default=[], doc="Corners of the area to show besides the points.")

    axes = param.List(default=["", ""], doc="The titles of the horizontal and the vertical axis.")

    near = param.List(
        default=[], doc="The words nearest to the chosen one: index, angle in degrees, distance."
    )

    tries = param.List(default=[], doc="A suggested drop: the word, and the word to drop it on.")

    onto = param.Integer(
        default=-1, doc="The word that the chosen one covers in this plane alone; −1: none."
    )

    count = param.Integer(default=2, doc="The number of dimensions of a word.")

    depths = param.List(default=[], doc="The names of the depths; the first is the table.")

    depth = param.Integer(default=0, doc="The index of the shown depth.")

    steps = param.List(default=[], doc="The steps of the training that the user can return to.")

    step = param.Integer(default=0, doc="The shown step.")

    can_move = param.Boolean(default=True, doc="Whether words can be dragged.")

    is_moved = param.Boolean(default=False, doc="Whether the user moved the chosen word.")

    hears: ClassVar = {
        "move": MoveMessage,
        "release": AnyMessage,
        "restore": IndexMessage,
        "choose": IndexMessage,
        "drop": DropMessage,
        "depth": IndexMessage,
        "step": StepMessage,
    }

    orders: ClassVar = dict.fromkeys(("choose", "depth"), Order.LOOK) | {"release": Order.ALWAYS}

    sheets = ("../kit/plane_figure.css", "words_map.css")

    @property
    def places(self) -> Hashable:
        return self.of, tuple(self.names)

    def has(self, message: Message) -> bool:
        index: int = max(message.get("index", 0), message.get("onto", 0))
        if message["type"] == "drop" and self.depth:
            return False
        return index < len(self.depths if message["type"] == "depth" else self.names)
