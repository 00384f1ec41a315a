"""The Share button: the whole session as a link or a file, and a file opened again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..component import Component, styles
from ..esm import esm

HERE = Path(__file__).parent


class Share(Component):
    """A dialog with the link of the present state.

    `on_ask()` gives the code of the link, or None where it would be too long, and the
    state as text for a file. `on_open(text)` takes a file's text and may return the
    sentence that says what is wrong with it.
    """

    _esm = esm(HERE / "share.js")
    _stylesheets = styles(HERE / "share.css")

    def __init__(
        self,
        *,
        on_ask: Callable[[], tuple[str | None, str]],
        on_open: Callable[[str], str | None],
        **params: Any,
    ) -> None:
        super().__init__(sizing_mode=None, **params)
        self._on_ask = on_ask
        self._on_open = on_open

    def receive(self, data: dict[str, Any]) -> None:
        if data.get("type") == "ask":
            code, text = self._on_ask()
            self.send({"type": "session", "code": code, "text": text})
        elif data.get("type") == "open" and isinstance(data.get("text"), str):
            self.send({"type": "opened", "sentence": self._on_open(data["text"]) or ""})
