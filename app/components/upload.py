"""The door for models that come in files, for every control that has one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, NotRequired

import param

from .component import Component, Message
from .door import Asked

MAX_FILES = 8

# What opens files by name, with the number of heads if it was asked for; an answer is what is
# still to be given: the numbers of heads to choose from.
OnOpen = Callable[[dict[str, bytes], int | None], list[int] | None]


class Part(Asked):
    """A part of a file; ``first`` is that of the first file, which begins anew."""

    name: str
    bytes: bytes
    first: bool


class Open(Asked):
    """All files have arrived, or the number of heads has been given for them."""

    heads: NotRequired[int | None]


class Opens(Component):
    """A control that takes files in.

    They come in parts, since a message has a largest size, and are kept until they are opened or
    refused. `on_open(files, heads)` raises a ValueError with the sentence that is shown, or gives
    the numbers of heads to choose from, if it has to know how many there are.
    """

    __abstract = True

    hears: ClassVar = {"part": Part, "open": Open}

    limit = param.Integer(default=64 << 20, doc="The most that is sent at once, in bytes.")

    def __init__(self, *, on_open: OnOpen, **params: Any) -> None:
        super().__init__(**params)
        self._on_open = on_open
        self._arrived: dict[str, bytearray] = {}  # a list of parts could be one of empty ones

    def hear(self, message: Message) -> None:
        """What is asked is answered, by a method for each kind of question; None: later."""
        try:
            answer = getattr(self, f"_on_{message['type']}_message")(message)
        except ValueError as error:
            answer = {"problem": str(error)}
        if answer is not None:
            self.answer(message, answer)

    def answer(self, asked: Message, answer: Message) -> None:
        """Say to who asked what has come of it."""
        self.send({"type": "answer", "id": asked["id"], **answer})

    def _on_part_message(self, data: dict[str, Any]) -> dict[str, Any]:
        name, part = data["name"][:120], data["bytes"]
        if data["first"]:
            self._arrived = {}
        if sum(map(len, self._arrived.values())) + len(part) > self.limit:
            self._arrived = {}
            raise ValueError(f"At most {self.limit >> 20} MB are read.")
        if name not in self._arrived and len(self._arrived) == MAX_FILES:
            raise ValueError(f"At most {MAX_FILES} files are read at once.")
        self._arrived.setdefault(name, bytearray()).extend(part)
        return {}

    def _on_open_message(self, data: dict[str, Any]) -> dict[str, Any]:
        arrived, self._arrived = self._arrived, {}
        files = {name: bytes(whole) for name, whole in arrived.items()}
        choices = self._on_open(files, data.get("heads"))
        if choices is None:
            return {"opened": True}
        self._arrived = arrived
        return {"heads": choices}
