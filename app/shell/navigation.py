"""Synchronizes the tabs, the drawer and the open view with the state's location."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..components.component import Placed
from ..components.drawer.drawer import Drawer
from ..components.open_view.open_view import OpenView
from ..components.tabs.tabs import Tabs
from ..explain.units import in_units
from ..ideas.catalog import FORMS_OF_IDEAS
from ..model.scenario.scenario import Scenario
from ..session.state import AppState
from ..session.title import NAME, window_title
from ..view_model.page_location import DRAWERS, DRAWERS_OF_ENCODER, FORMS
from .room_tabs import room_tabs

ABOUT = {
    "writing": "Word by word: greedy decoding, beam search, sampling",
    "measure": "Which head, word or position matters: silence each, stop earlier, patch",
}
ABOUT_OF_ENCODER = ABOUT | {"writing": "Blank by blank: which word the model expects in each"}


class Navigation:
    """The controls with which the user switches between views.

    Attributes:
        rooms: the tabs of the rooms, and the component that reports the open view.
        forms: the tabs of the model's forms, and the drawer.
    """

    def __init__(
        self,
        state: AppState,
        choose: Callable[[str, str], None],
        set_dark: Callable[[bool], None],
    ) -> None:
        """Show the state's location and follow it.

        Args:
            state: the state of the page.
            choose: shows a view and a drawer, by their names.
            set_dark: sets whether the page is dark.
        """
        self._state, self._choose = state, choose
        self._is_open: tuple[str, str] | None = None
        self._opening = state.scenario
        form, held = state.location.form, state.location.drawer
        rooms = room_tabs(state)
        self._forms = Tabs(tabs=list(FORMS.items()), rare=list(FORMS_OF_IDEAS), value=form)
        self._forms.param.update(of="forms", label="Forms of the model", more="Ideas")
        self._drawer = Drawer(**_drawers(state.scenario), value=held, label="Drawer")
        self._opened = OpenView(forms=list(FORMS), **_texts(state.scenario))
        self.rooms: list[Placed] = [rooms, self._opened]
        self.forms: list[Placed] = [self._forms, self._drawer]

        def go(name: str) -> Callable[[Any], None]:
            def run(event: Any) -> None:
                # The controls also change when they follow the location.
                if getattr(state.location, name) != event.new:
                    state.go(name, event.new)

            return run

        state.watch(self._entitle, "scenario")
        self._forms.param.watch(go("form"), "value")
        self._drawer.param.watch(go("drawer"), "value")
        self._opened.param.watch(go("form"), "form")
        self._opened.param.watch(lambda event: set_dark(event.new), "dark")
        # Also watch equal values, because an interrupted restore may have opened another view.
        state.watch(self._show_location, "location", only_changed=False)
        self._show_location()

    def _show_location(self, _event: object = None) -> None:
        location = self._state.location
        view, held = location.view, location.open_drawer
        self._forms.value, self._drawer.value = location.form, location.drawer
        self._opened.param.update(room=location.room, view=view, drawer=held, form=location.form)
        if self._is_open != (view, held):
            self._is_open = view, held
            self._choose(view, held)

    def _entitle(self, _event: object = None) -> None:
        scenario = self._state.scenario
        title = NAME if scenario == self._opening else window_title(scenario)
        self._opened.update_changed(title=title, **_texts(self._state.scenario))
        self._drawer.update_changed(**_drawers(self._state.scenario))


def _texts(scenario: Scenario) -> dict[str, Any]:
    """Return how many texts the model has, and what their units are called."""
    settings = scenario.settings
    count = int(settings.has_encoder) + int(settings.has_decoder)
    return {"sentences": count, "unit": scenario.vocabulary.unit_name}


def _drawers(scenario: Scenario) -> dict[str, Any]:
    """Return the labels and the tooltips of the drawer's buttons."""
    has_decoder = scenario.settings.has_decoder
    labels, about = (DRAWERS, ABOUT) if has_decoder else (DRAWERS_OF_ENCODER, ABOUT_OF_ENCODER)
    said = {name: in_units(scenario, text) for name, text in about.items()}
    return {"drawers": list(labels.items()), "about": said}
