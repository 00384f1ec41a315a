"""The tabs of the rooms. A lesson is in its room, whatever of the model it shows."""

from __future__ import annotations

from typing import Any

from ..components.tabs.tabs import Tabs
from ..session import open_lesson
from ..session.address import LESSONS
from ..session.state import AppState
from ..view_model.page_location import ROOMS


def room_tabs(state: AppState) -> Tabs:
    """Tabs that follow the location, and go to the room that is pressed."""

    def lit() -> str:
        return LESSONS if state.lesson.name else state.location.room

    tabs = Tabs(tabs=list(ROOMS.items()), of="rooms", label="Rooms", value=lit())

    def enter(event: Any) -> None:
        if event.new == lit():
            return
        # An open lesson is left in its own room.
        if state.lesson.name:
            open_lesson.leave(state)
        state.go("room", event.new)

    def list_lessons() -> None:
        if state.lesson.name:
            state.go("view", LESSONS)

    def show(*_events: object) -> None:
        tabs.value = lit()

    tabs.param.watch(enter, "value")
    tabs.on_again(list_lessons)
    # Called for equal values too: an interrupted restore has opened a view.
    state.watch(show, ["location", "lesson"], only_changed=False)
    return tabs
