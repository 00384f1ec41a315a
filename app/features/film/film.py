"""Declares the player of films: the caption, a bar for moving through the scenes, and the end."""

from typing import ClassVar

import param

from ...components.callbacks import Callbacks
from ...components.component import Component, Message
from ...components.messages import AnyMessage
from ...components.order import Order


class SceneMessage(AnyMessage):
    """The film is in a scene that changes numbers or, for -1, back at the page's numbers."""

    scene: int


class FilmPlayer(Component):
    """Plays the scenes of ``value``; the board draws them.

    The browser runs the clock, the camera and the lighting. Python receives a message when the film
    begins, when it is closed, and when a scene changes numbers.
    """

    value = param.List(default=[], item_type=dict, doc="The scenes; empty: not requested yet.")

    opened = param.Integer(default=0, doc="How often another part of the page opened a film.")

    dismissed = param.Integer(default=0, doc="How often another part of the page closed it.")

    waits = param.Boolean(default=False, doc="Whether an opened film waits for Play.")

    hears: ClassVar = {
        **dict.fromkeys(("ask", "begin", "leave"), AnyMessage),
        "scene": SceneMessage,
    }

    orders: ClassVar = {
        **dict.fromkeys(("ask", "begin"), Order.LOOK),
        **dict.fromkeys(("scene", "leave"), Order.ALWAYS),
    }

    on_do = Callbacks[[str, Message]]()  # the kind of the message and the message

    def hear(self, message: Message) -> None:
        """Handle a message; scenes that do not exist are ignored."""
        if -1 <= message.get("scene", -1) < len(self.value):
            self.on_do.call(message["type"], message)
