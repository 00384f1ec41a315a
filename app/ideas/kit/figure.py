"""The base class of what the pictures of ideas are drawn by."""

from collections.abc import Callable
from typing import Any

from ...components.component import Component, Message


class Figure(Component):
    """A drawing in which something can be dragged; what was done in it goes to ``on_message``."""

    def __init__(
        self, *, on_message: Callable[[Message], None] | None = None, **params: Any
    ) -> None:
        """
        Args:
            on_message: takes each message that speaks of what is drawn.
            params: see `Component`.
        """
        super().__init__(**params)
        self._on_message = on_message

    def hear(self, message: Message) -> None:
        """See `Component.hear`."""
        if self._on_message is not None and self.has(message):
            self._on_message(message)

    def has(self, _message: Message) -> bool:
        """Whether what a message speaks of is drawn."""
        return True
