"""A base class for controls that go to a stored step of a training run."""

from collections.abc import Callable
from typing import Any, ClassVar

import param

from .component import Component, Message
from .messages import StepMessage


class Steps(Component):
    """Calls ``on_step`` with a requested step: one of ``kept``, or None for the last step."""

    kept = param.List(default=[], doc="The steps that the user can return to, in order.")

    hears: ClassVar = {"step": StepMessage}

    def __init__(
        self, *, on_step: Callable[[int | None], None] = lambda _step: None, **params: Any
    ) -> None:
        super().__init__(**params)
        self._on_step = on_step

    def hear(self, message: Message) -> None:
        """Handle a requested step; steps that are not stored are ignored."""
        if message["type"] != "step":
            super().hear(message)
        elif message["step"] is None or message["step"] in self.kept:
            self._on_step(message["step"])
