"""Declares the panel of the open lesson: the current step with its tasks, and navigation."""

from typing import ClassVar

import param

from ...components.callbacks import Callbacks
from ...components.component import Component, Message
from ...components.messages import AnyMessage
from ...components.order import Order


class Go(AnyMessage):
    """Go to a step."""

    step: int


class OfItem(AnyMessage):
    """Show the answer of an item, or play the item's film."""

    item: int


class Answer(OfItem):
    """The answer to an item: a number, the index of a choice, or a confirmation."""

    given: float | None


class Compare(OfItem):
    """Show the state before or after the change of a comparison."""

    after: bool


class Open(AnyMessage):
    """Open a view."""

    view: str


class LessonPanel(Component):
    """Shows one step of a lesson, next to the view that it is about.

    Texts are nested lists of strings and marks with their contents, never HTML.
    """

    entry = "lesson.js"
    sheets = ("lesson.css",)

    value = param.Dict(default={}, doc="The lesson and its open step; empty without a lesson.")

    live = param.List(default=[], item_type=str, doc="The live numbers in the texts, in order.")

    states = param.List(default=[], item_type=dict, doc="The state of each item of the step.")

    look = param.Dict(default={}, doc="The target of the camera, and the elements with a ring.")

    hears: ClassVar = {
        "go": Go,
        "close": AnyMessage,
        "again": AnyMessage,
        "answer": Answer,
        "show": OfItem,
        "play": OfItem,
        "compare": Compare,
        "open": Open,
        "link": AnyMessage,
    }

    orders: ClassVar = {
        **dict.fromkeys(("go", "close", "again"), Order.ALWAYS),
        **dict.fromkeys(("open", "link"), Order.LOOK),
    }

    on_do = Callbacks[[str, Message]]()  # the kind of a user action and its checked fields

    @property
    def places(self) -> tuple[object, ...]:
        """The step that contains the items; see `Component.places`."""
        return self.value.get("name"), self.value.get("step")

    def hear(self, message: Message) -> None:
        """Handle an action; items and steps that do not exist are ignored."""
        if self.value and self._is_here(message):
            self.on_do.call(message["type"], message)

    def _is_here(self, message: Message) -> bool:
        count: int = self.value["count"]
        is_item = "item" not in message or 0 <= message["item"] < len(self.states)
        step: int = message.get("step", 0)
        return is_item and 0 <= step < count
