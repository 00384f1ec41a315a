"""The Share button: the whole session as a link or a file, and a file opened again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import param

from ..component import Component, Message, module, styles

HERE = Path(__file__).parent


class Share(Component):
    """A dialog with the link of the present state.

    `on_ask()` gives the code of the link, or None where it would be too long, and the state as text
    for a file. `value` is the text of the file that was opened last; a watcher that cannot take it
    raises a ValueError, whose sentence is shown.
    """

    value = param.String(default="", doc="The text of the file that was opened.", precedence=-1)

    place = param.Selector(
        default="menu", objects=["line", "menu"], doc="Where it stands if there is room, or not."
    )

    _esm = module(HERE / "share.js")
    _stylesheets = styles(HERE / "share.css")

    def __init__(self, *, on_ask: Callable[[], tuple[str | None, str]], **params: Any) -> None:
        super().__init__(**{"sizing_mode": None, **params})
        self._on_ask = on_ask

    def receive(self, message: Message) -> None:
        """The dialog was opened, or a file in it."""
        text = message.get("text")
        if message.get("type") == "ask":
            code, written = self._on_ask()
            self.send({"type": "session", "code": code, "text": written})
        elif message.get("type") == "open" and isinstance(text, str) and not self.disabled:
            with param.parameterized.discard_events(self):
                self.value = ""  # the same file may be opened once more
            sentence = self.attempt(lambda: self.param.update(value=text))
            self.send({"type": "opened", "sentence": sentence})
