"""Calls a watcher less often while the model of the page trains."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .state import AppState

CALM_SECONDS, HURRIED_SECONDS = 0.1, 0.25  # seconds between calls, at a slow pace and at full speed


def calm(state: AppState, function: Callable[..., None]) -> Callable[..., None]:
    """Return a watcher that calls the function seldom in training, but always for new words."""
    last, words = 0.0, _words_shown(state)

    def hear(*events: Any) -> None:
        nonlocal last, words
        if state.current.learning:
            now, shown = state.clock(), _words_shown(state)
            least = HURRIED_SECONDS if state.scenario.view.pace == "full" else CALM_SECONDS
            if shown == words and now - last < least:
                return
            last, words = now, shown
        function(*events)

    return hear


def _words_shown(state: AppState) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return state.scenario.source, state.scenario.target
