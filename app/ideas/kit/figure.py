"""Declares the base class of the figures in the pictures of ideas."""

from collections.abc import Callable
from typing import Any

from ...components.component import Component, Message


class Figure(Component):
    """A drawing with draggable parts; its messages are passed to ``on_message``."""

    def __init__(
        self, *, on_message: Callable[[Message], None] | None = None, **params: Any
    ) -> None:
        super().__init__(**params)
        self._on_message = on_message

    def hear(self, message: Message) -> None:
        if self._on_message is not None and self.has(message):
            self._on_message(message)

    def has(self, _message: Message) -> bool:
        """Return whether the item that a message refers to is drawn."""
        return True
