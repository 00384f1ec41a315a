"""The header: Training Mode and its masks, undo and redo, the pinned baseline, what is shown."""

from __future__ import annotations

from typing import Any

from ..components.component import changes
from ..components.form.form import Form
from ..state import AppState


class HeaderView:
    """What concerns the whole session: dropout, going back and forth, and what to compare with."""

    def __init__(self, state: AppState) -> None:
        self.state = state
        self.form = Form(fields=_fields(state), layout="row", sizing_mode=None)
        self.form.param.watch(self._on_value, "value")
        self.form.on_press(self._on_press)
        state.watch_calmly(self._fill, ["scenario", "baseline"])

    def _fill(self, *_: Any) -> None:
        fields = _fields(self.state)
        if fields != self.form.fields:
            self.form.fields = fields

    def _on_value(self, event: Any) -> None:
        for name, value in changes(event).items():
            scenario = self.state.scenario
            if name == "training" and value != scenario.training:
                self.state.change(scenario.with_training(value))
            elif name == "keep_masks" and value != scenario.keep_masks:
                self.state.change(scenario.with_keep_masks(value))
            elif name == "plane" and value != scenario.view.plane:
                self.state.change(scenario.with_view("plane", value))

    def _on_press(self, name: str) -> None:
        if name == "resample":
            self.state.change(self.state.scenario.resampled())
        elif name == "undo":
            self.state.undo()
        elif name == "redo":
            self.state.redo()
        elif name == "pin":
            self._pin()

    def _pin(self) -> None:
        """Pin the present state, or let go of what is pinned: then there is no change to show."""
        state = self.state
        if state.baseline is None:
            state.baseline = state.scenario
            state.notice = "Pinned. “change” now shows how far every number is from here."
        else:
            if state.scenario.view.plane == "change":
                state.change(state.scenario.with_view("plane", "value"))
            state.baseline = None


def _fields(state: AppState) -> list[dict[str, Any]]:
    scenario = state.scenario
    fields: list[dict[str, Any]] = [
        {
            "name": "training",
            "kind": "switch",
            "label": "Training mode",
            "value": scenario.training,
            "help": "Dropout on: hatched cells are dropped.",
        }
    ]
    if scenario.training:
        fields += [
            {
                "name": "keep_masks",
                "kind": "switch",
                "label": "freeze masks",
                "value": scenario.keep_masks,
                "help": "On: the same cells stay dropped while you edit. "
                "Off: every change draws new ones, as every step of training does.",
            },
            {
                "name": "resample",
                "kind": "action",
                "label": "Resample",
                "help": "Draw new masks.",
            },
        ]
    fields += [
        {
            "name": "undo",
            "kind": "action",
            "label": "↶",
            "title": "Undo (Ctrl+Z)",
            "disabled": not state.history.past,
        },
        {
            "name": "redo",
            "kind": "action",
            "label": "↷",
            "title": "Redo (Ctrl+Shift+Z)",
            "disabled": not state.history.future,
        },
        {
            "name": "pin",
            "kind": "action",
            "label": "Pin baseline" if state.baseline is None else "Unpin",
        },
    ]
    can_compare = state.baseline is not None or scenario.view.plane == "change"
    fields.append(
        {
            "name": "plane",
            "kind": "choice",
            "label": "show",
            "value": scenario.view.plane,
            "options": [
                ["value", "values"],
                ["gradient", "gradients"],
                *([["change", "change"]] if can_compare else []),
            ],
        }
    )
    return fields
