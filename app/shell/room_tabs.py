"""The tabs of the rooms. An open lesson belongs to its room, whichever view it shows."""

from __future__ import annotations

from typing import Any

from ..components.tabs.tabs import Tabs
from ..session import open_lesson
from ..session.address import LESSONS
from ..session.state import AppState
from ..view_model.page_location import ROOMS


def room_tabs(state: AppState) -> Tabs:
    """Return tabs that follow the location and mark a training run; each tab opens its room."""

    def lit() -> str:
        return LESSONS if state.lesson.name else state.location.room

    tabs = Tabs(tabs=list(ROOMS.items()), of="rooms", label="Rooms", value=lit())

    def enter(event: Any) -> None:
        if event.new == lit():
            return
        # To leave a lesson first opens the lesson's room, so go to the pressed room afterwards.
        if state.lesson.name:
            open_lesson.leave(state)
        state.go("room", event.new)

    def list_lessons() -> None:
        if state.lesson.name:
            state.go("view", LESSONS)

    def show(*_events: object) -> None:
        tabs.value = lit()

    def show_training(*_events: object) -> None:
        tabs.update_changed(busy="train" if state.learning else "")

    tabs.param.watch(enter, "value")
    tabs.on_again(list_lessons)
    # Also watch equal values, because an interrupted restore may have opened another view.
    state.watch(show, ["location", "lesson"], only_changed=False)
    state.watch(show_training, "learning")
    return tabs
