"""Lists of tokens, each a line of chips: the source, the target, the words to answer with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import param

from app.controls.control import Control, styles
from app.esm import esm

HERE = Path(__file__).parent


class Tokens(Control):
    """Chips that can be edited, added, removed and pasted into.

    A list is a dict with `name`, `label`, `tokens`, `limit`, `error` (a sentence
    shown under it) and `hidden`. All lists are one component, because each one
    costs the server a few milliseconds at every page that is opened.

    `on_change(name, tokens)` hears of every change, each keystroke of an edit
    included, and may return the sentence that says what is wrong.
    """

    lists = param.List(default=[], item_type=dict, doc="Descriptions of the lists, in order.")

    _esm = esm(HERE / "dom.js", HERE / "token_list.js", HERE / "tokens.js")
    _stylesheets = styles("tokens.css")

    def __init__(self, *, on_change: Callable[[str, list[str]], str | None], **params: Any) -> None:
        super().__init__(**params)
        self._on_change = on_change

    def _handle_msg(self, data: dict[str, Any]) -> None:
        name, tokens = data.get("name"), data.get("tokens")
        known = any(entry["name"] == name for entry in self.lists)
        if data.get("type") != "tokens" or not known or not isinstance(tokens, list):
            return
        if not all(isinstance(token, str) for token in tokens):
            return
        assert isinstance(name, str)
        sentence = self._on_change(name, tokens) or ""
        self.lists = [
            {**entry, "error": sentence} if entry["name"] == name else entry for entry in self.lists
        ]
        self._send_msg({"type": "answer", "name": name})
