"""The header: the session as a link or a file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..components.share.share import Share
from ..files import permalink
from ..files.scenario_json import to_json
from ..restoring import in_part, restore
from ..state import AppState


class ShareView:
    """Writes the present state, and reads one that was written.

    The button stands in the page's `line`; what finds no room there stands in the menu: `share`.

    Args:
        check: raises if what the state is cannot be shown.
    """

    def __init__(self, state: AppState, check: Callable[[], None]) -> None:
        self.state = state
        self._check = check
        self.line, self.share = (Share(on_ask=self._ask, place=p) for p in ("line", "menu"))
        for share in (self.line, self.share):
            share.param.watch(self._on_open, "value")

    def _ask(self) -> tuple[str | None, str]:
        saved = self.state.saved
        code = permalink.encode(saved)
        return (code if len(code) <= permalink.MAX_LINK_LENGTH else None), to_json(saved)

    def _on_open(self, event: Any) -> None:
        if not event.new:
            return
        if self.state.address.lock:
            raise ValueError("This page is locked: no other can be opened in it.")
        try:
            missing = in_part("This file", restore(self.state, event.new, self._check))
        except ValueError as error:
            raise ValueError(f"This file could not be opened. {error}") from None
        if missing:
            self.state.notice = missing
