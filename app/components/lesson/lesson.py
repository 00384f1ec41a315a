"""An open lesson: one step of it, what is to be done there, and the way to the next."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import param

from ..component import Component, Message, module, styles

HERE = Path(__file__).parent
MAX_NUMBER = 1e9
# What a reader does; of each, which fields come with it, and of what type.
_MESSAGES: dict[str, dict[str, type | tuple[type, ...]]] = {
    "go": {"step": int},
    "close": {},
    "again": {},
    "answer": {"item": int, "given": (int, float, type(None))},
    "show": {"item": int},
    "play": {"item": int},
    "compare": {"item": int, "after": bool},
    "open": {"view": str},
}


class LessonPanel(Component):
    """A step, beside the view that it is about.

    Text is made of lists: a string, or a mark and what is in it; never of HTML.
    """

    value = param.Dict(default={}, doc="The lesson and its open step; empty: none is open.")

    live = param.List(default=[], item_type=str, doc="The live numbers in the texts, in order.")

    states = param.List(default=[], item_type=dict, doc="How each item of the step stands.")

    look = param.Dict(default={}, doc="Where the camera flies, and what is ringed.")

    _esm = module(HERE / "lesson.js")
    _stylesheets = styles(HERE / "lesson.css")

    def __init__(self, **params: object) -> None:
        super().__init__(**params)
        self._on_do: list[Callable[[str, Message], None]] = []

    def on_do(self, callback: Callable[[str, Message], None]) -> None:
        """Call this with the kind of what the reader does, and its checked fields."""
        self._on_do.append(callback)

    def receive(self, message: Message) -> None:
        """Something was pressed."""
        kind = message.get("type")
        if not self.value or self.disabled or not isinstance(kind, str) or kind not in _MESSAGES:
            return
        fields = _MESSAGES[kind]
        found = {name: message.get(name) for name in fields}
        if all(_is(found[name], of) for name, of in fields.items()) and self._is_here(found):
            for callback in self._on_do:
                callback(kind, found)

    def _is_here(self, found: Message) -> bool:
        count: int = self.value["count"]
        is_item = 0 <= found.get("item", 0) < len(self.states)
        return is_item and 0 <= int(found.get("step", 0)) < count


def _is(raw: Any, of: type | tuple[type, ...]) -> bool:
    if isinstance(raw, bool) and of is not bool:
        return False
    return isinstance(raw, of) and (
        not isinstance(raw, int | float) or abs(raw) <= MAX_NUMBER  # no NaN either
    )
