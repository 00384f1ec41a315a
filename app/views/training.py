"""The header: Training Mode, and what happens to the dropout masks."""

from __future__ import annotations

from typing import Any

from app.controls import Form
from app.scenario import Scenario
from app.state import AppState


class TrainingView:
    """Switches dropout on and off; masks can be kept or drawn anew."""

    def __init__(self, state: AppState) -> None:
        self.state = state
        self.form = Form(fields=_fields(state.scenario), layout="row", on_change=self._change)
        state.param.watch(self._fill, "scenario")

    def _fill(self, event: Any) -> None:
        fields = _fields(self.state.scenario)
        if fields != self.form.fields:
            self.form.fields = fields

    def _change(self, name: str, value: Any) -> str | None:
        scenario = self.state.scenario
        if name == "training":
            self.state.scenario = scenario.with_training(value)
        elif name == "keep_masks":
            self.state.scenario = scenario.with_keep_masks(value)
        elif name == "resample":
            self.state.scenario = scenario.resampled()
        return None


def _fields(scenario: Scenario) -> list[dict[str, Any]]:
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
    return fields
