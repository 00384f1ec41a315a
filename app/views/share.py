"""The header: the session as a link or a file."""

from __future__ import annotations

from ..components.share.share import Share
from ..files import permalink
from ..files.scenario_json import from_json, to_json
from ..state import AppState


class ShareView:
    """Writes the present state, and reads one that was written."""

    def __init__(self, state: AppState) -> None:
        self.state = state
        self.share = Share(on_ask=self._ask, on_open=self._open)

    def _ask(self) -> tuple[str | None, str]:
        saved = self.state.saved
        code = permalink.encode(saved)
        return (code if len(code) <= permalink.MAX_LINK_LENGTH else None), to_json(saved)

    def _open(self, written: str) -> str | None:
        try:
            self.state.restore(from_json(written))
        except ValueError as error:
            return f"This file could not be opened. {error}"
        return None
