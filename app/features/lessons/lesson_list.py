"""Declares the list of lessons with the progress in each, and the list of dares."""

from typing import ClassVar, NotRequired

import param

from ...components.callbacks import Callbacks
from ...components.component import Component, Message
from ...components.messages import AnyMessage
from ...components.order import Order


class Open(AnyMessage):
    """Open a lesson where the user left it, from its beginning, or at its dare."""

    name: str
    afresh: NotRequired[bool]
    dare: NotRequired[bool]


class LessonList(Component):
    """Lists the lessons, the dares, and the errors of lessons that could not be read.

    `lessons` are dicts with ``name``, ``title``, ``about``, ``goals``, ``facts``, ``source``,
    ``steps`` and ``done``; `dares` are dicts with ``name``, ``title``, ``about`` and ``best``.
    """

    entry = "lesson_list.js"
    sheets = ("lesson_list.css",)

    value = param.String(default="", doc="The name of the open lesson.")

    lessons = param.List(default=[], item_type=dict, doc="The lessons, in order.")

    dares = param.List(default=[], item_type=dict, doc="The dares in the order of their lessons.")

    pictures = param.Dict(
        default={}, doc="Lesson name -> the picture beside the lesson; see `lessons.pictures`."
    )

    problems = param.List(default=[], item_type=str, doc="A sentence for each faulty lesson.")

    hears: ClassVar = {"open": Open}

    orders: ClassVar = {"open": Order.ALWAYS}

    # The name, whether to start from the beginning, and whether to go to the dare.
    on_begin = Callbacks[[str, bool, bool]]()

    def hear(self, message: Message) -> None:
        """Handle the choice of a lesson; unknown names are ignored."""
        name, dare = message["name"], message.get("dare", False)
        listed = self.dares if dare else self.lessons
        if any(name == each["name"] for each in listed):
            self.on_begin.call(name, message.get("afresh", False), dare)
