"""Shows the controls of the session: undo, redo, the comparison and the display."""

from typing import Any

from ...components.component import changes
from ...components.form.fields import action, choice, switch
from ...components.form.form import Form
from ...explain.units import in_units
from ...model.scenario.view_settings import ViewSettings
from ...session.state import AppState

SHOWN = "plane", "all_numbers", "token_numbers"  # fields that are view settings


class HeaderView:
    """Connects the controls of the session to its state.

    `form` is in the header and `show` in the settings panel; `menu` has the controls that do not
    fit into the header.
    """

    def __init__(self, state: AppState) -> None:
        self.state = state
        self.form = Form(fields=_line(state), layout="row", sizing_mode=None)
        self.show = Form(fields=_show(state))
        self.menu = Form(fields=_menu(state))
        for form in (self.form, self.show, self.menu):
            form.param.watch(self._on_value, "value")
            form.on_press(self._on_press)
        watched = ["scenario", "baseline", "oscillation", "steps", "before_experiment", "location"]
        state.watch_calmly(self._fill, watched)

    def _fill(self, *_: Any) -> None:
        state = self.state
        forms = ((self.form, _line), (self.show, _show), (self.menu, _menu))
        for form, make in forms:
            form.update_changed(fields=make(state))

    def _on_value(self, event: Any) -> None:
        for name, value in changes(event).items():
            scenario = self.state.scenario
            if name in SHOWN and value != getattr(scenario.view, name):
                self.state.change(scenario.with_view(name, value))
            elif name == "lens" and value != self.state.location.lens:
                self.state.go("lens", value)

    def _on_press(self, name: str) -> None:
        if name == "undo":
            self.state.undo()
        elif name == "redo":
            self.state.redo()
        elif name == "pin":
            self._compare()

    def _compare(self) -> None:
        """Pin the current state and show the changes since then, or return to the values."""
        state = self.state
        if state.baseline is None:
            state.compare(state.scenario)
            state.notice = "Every number now shows its difference from this moment."
        else:
            if state.scenario.view.compares:
                state.change(state.scenario.with_view("plane", "value"))
            state.baseline = None


def _redo_field(state: AppState) -> dict[str, Any]:
    return action("redo", "Redo", disabled=not state.history.future)


def _compare_field(state: AppState) -> dict[str, Any]:
    begin = "Compare from here"
    return action("pin", begin if state.baseline is None else "Stop comparing", room=begin)


def _plane_field(state: AppState) -> dict[str, Any]:
    can_compare = state.baseline is not None or state.scenario.view.compares
    of_two = (("change", "change"), ("patch", "patch")) if can_compare else ()
    planes = (("value", "values"), ("gradient", "gradients"), *of_two)
    return choice("plane", "show", state.scenario.view.plane, planes)


def _line(state: AppState) -> list[dict[str, Any]]:
    can_go_back = state.history.past or state.oscillation.on or state.before_experiment is not None
    return [
        action("undo", "↶", caption="Undo", title=_undo_title(state), disabled=not can_go_back),
        {
            **_redo_field(state),
            "label": "↷",
            "caption": "Redo",
            "title": "Redo (Ctrl+Shift+Z)",
            "place": "line",
        },
    ]


def _undo_title(state: AppState) -> str:
    cut = "; earlier steps were not kept when the page was reloaded"
    return f"Undo (Ctrl+Z){cut if state.history.is_cut else ''}"


def _show(state: AppState) -> list[dict[str, Any]]:
    view, no_picture = state.scenario.view, state.location.view != "picture"
    fields = [
        _plane_field(state),
        _compare_field(state),
        switch(
            "all_numbers",
            "all numbers",
            view.all_numbers,
            disabled=no_picture,
            help=ViewSettings.param.all_numbers.doc,
        ),
        switch(
            "lens",
            "lens",
            state.location.lens,
            disabled=no_picture,
            help="The picture shows, beside each row, the word that the model would write "
            "if it stopped at that depth.",
        ),
        switch(
            "token_numbers",
            in_units(state.scenario, "numbers under the words"),
            view.token_numbers,
            help="The id of each word, and the probability with which the model wrote it.",
        ),
    ]
    return [{**field, "group": "Show"} for field in fields]


def _menu(state: AppState) -> list[dict[str, Any]]:
    """Return the fields that do not fit into the header's line."""
    return [{**_redo_field(state), "place": "menu"}]
