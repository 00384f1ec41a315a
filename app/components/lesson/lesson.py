"""An open lesson: one step of it, what is to be done there, and the way to the next."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import param

from ..component import Component, Message, module, styles
from ..messages import AnyMessage
from ..order import Order

HERE = Path(__file__).parent


class Go(AnyMessage):
    """Another step is to be shown."""

    step: int


class OfItem(AnyMessage):
    """The answer of an item is to be shown, or what it shows be played."""

    item: int


class Answer(OfItem):
    """An answer was given: a number, a choice by its number, or that it is done."""

    given: float | None


class Compare(OfItem):
    """What was before is to be shown, or what was after."""

    after: bool


class Open(AnyMessage):
    """A view is to be opened."""

    view: str


class LessonPanel(Component):
    """A step, beside the view that it is about.

    Text is made of lists: a string, or a mark and what is in it; never of HTML.
    """

    value = param.Dict(default={}, doc="The lesson and its open step; empty: none is open.")

    live = param.List(default=[], item_type=str, doc="The live numbers in the texts, in order.")

    states = param.List(default=[], item_type=dict, doc="How each item of the step stands.")

    look = param.Dict(default={}, doc="Where the camera flies, and what is ringed.")

    hears: ClassVar = {
        "go": Go,
        "close": AnyMessage,
        "again": AnyMessage,
        "answer": Answer,
        "show": OfItem,
        "play": OfItem,
        "compare": Compare,
        "open": Open,
    }

    orders: ClassVar = {**dict.fromkeys(("go", "close", "again"), Order.ALWAYS), "open": Order.LOOK}

    _esm = module(HERE / "lesson.js")
    _stylesheets = styles(HERE / "lesson.css")

    def __init__(self, **params: object) -> None:
        super().__init__(**params)
        self._on_do: list[Callable[[str, Message], None]] = []

    def on_do(self, callback: Callable[[str, Message], None]) -> None:
        """Call this with the kind of what the reader does, and its checked fields."""
        self._on_do.append(callback)

    @property
    def places(self) -> tuple[object, ...]:
        """See `Component.places`: the step whose items are counted."""
        return self.value.get("name"), self.value.get("step")

    def hear(self, message: Message) -> None:
        """Something was pressed: of an item or a step that there is."""
        if self.value and not self.disabled and self._is_here(message):
            for callback in self._on_do:
                callback(message["type"], message)

    def _is_here(self, message: Message) -> bool:
        count: int = self.value["count"]
        is_item = "item" not in message or 0 <= message["item"] < len(self.states)
        step: int = message.get("step", 0)
        return is_item and 0 <= step < count
