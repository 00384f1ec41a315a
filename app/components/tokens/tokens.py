"""Lists of tokens, each a line of chips: the source, the target, the words to answer with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import param

from ..component import Component, styles
from ..esm import esm

HERE = Path(__file__).parent


class Tokens(Component):
    """Chips that can be edited, added, removed and pasted into.

    A list is a dict with `name`, `label`, `tokens`, `limit`, `longest`, `unit` (`word`: blanks
    part what is typed; `character`: each is a token, and `<pad>` and its like are one), `known`
    (the tokens there are; empty if any will do), `error` (a sentence shown under it), `hidden`
    and `choice`: None, or a word chosen beside the list, with `label`, `value`, `options` (empty if
    it is typed) and `note`. All lists are one component, because each one costs the server a few
    milliseconds at every page that is opened.

    `on_change(name, tokens)` hears of every change, each keystroke of an edit
    included, `on_choose(name, word)` of every word chosen; each may return the sentence that says
    what is wrong.
    """

    lists = param.List(default=[], item_type=dict, doc="Descriptions of the lists, in order.")

    _esm = esm(HERE / "tokens.js")
    _stylesheets = styles(HERE / "tokens.css")

    def __init__(
        self,
        *,
        on_change: Callable[[str, list[str]], str | None],
        on_choose: Callable[[str, str], str | None],
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self._on_change = on_change
        self._on_choose = on_choose

    def receive(self, data: dict[str, Any]) -> None:
        name, tokens, word = data.get("name"), data.get("tokens"), data.get("word")
        entry = next((entry for entry in self.lists if entry["name"] == name), None)
        if entry is None or not isinstance(name, str):
            return
        if data.get("type") == "choice" and entry["choice"] and isinstance(word, str):
            self._say(name, self._on_choose(name, word))
        if data.get("type") != "tokens" or not isinstance(tokens, list):
            return
        if all(isinstance(token, str) for token in tokens):
            self._say(name, self._on_change(name, tokens))
            self.send({"type": "answer", "name": name})

    def _say(self, name: str, sentence: str | None) -> None:
        self.lists = [
            {**entry, "error": sentence or ""} if entry["name"] == name else entry
            for entry in self.lists
        ]
