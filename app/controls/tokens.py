"""The tokens of one side, source or target, as a line of chips."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import param

from app.controls.control import Control, styles
from app.esm import esm

HERE = Path(__file__).parent


class Tokens(Control):
    """Chips that can be edited, added, removed and pasted into.

    `on_change(tokens)` hears of every change, each keystroke of an edit
    included, and may return the sentence that says what is wrong.  Lists
    beyond the limits never reach it.
    """

    label = param.String(default="Tokens", doc="Heading, and the name a screen reader says.")

    tokens = param.List(
        default=[], item_type=str, doc="The tokens in order; the empty one is shown as ∅."
    )

    limit = param.Integer(default=64, doc="The most tokens there may be.")

    max_length = param.Integer(default=24, doc="The most characters a token may have.")

    error = param.String(default="", doc="A sentence shown under the chips.")

    _esm = esm(HERE / "dom.js", HERE / "token_list.js", HERE / "tokens.js")
    _stylesheets = styles("tokens.css")

    def __init__(
        self, *, on_change: Callable[[list[str]], str | None] | None = None, **params: Any
    ) -> None:
        super().__init__(**params)
        self._on_change = on_change

    def _handle_msg(self, data: dict) -> None:
        tokens = data.get("tokens")
        if data.get("type") != "tokens" or not isinstance(tokens, list):
            return
        if not all(isinstance(token, str) for token in tokens):
            return
        self.error = self._problem(tokens) or ""
        if not self.error:
            # Set first: the answer must not find the old list and put a half-typed token back.
            before, self.tokens = self.tokens, tokens
            sentence = self._on_change(tokens) if self._on_change else None
            if sentence:
                self.param.update(tokens=before, error=sentence)
        self._send_msg({"type": "answer"})

    def _problem(self, tokens: list[str]) -> str | None:
        if len(tokens) > self.limit:
            return f"There can be at most {self.limit} tokens here."
        if any(len(token) > self.max_length for token in tokens):
            return f"A token can have at most {self.max_length} characters."
        return None
