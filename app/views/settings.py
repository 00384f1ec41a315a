"""The left side, below: every setting of the model and of the view."""

from __future__ import annotations

from typing import Any

from transformer_math import Config

from ..components.form.form import Form
from ..files import catalog
from ..scenario.model_settings import SIZES, ModelSettings
from ..scenario.scenario import Scenario
from ..scenario.view_settings import ViewSettings
from ..state import AppState

MODEL, MORE, DROPOUT, DISPLAY = "Model", "More of the model", "Dropout rates", "Display"
VIEW_PREFIX, DROPOUT_PREFIX = "view_", "dropout_"

# In the order of the page; every setting stands in one group or belongs to another control.
MODEL_SETTINGS = (
    "d_model",
    "heads",
    "encoder_layers",
    "decoder_layers",
    "d_ff",
    "activation",
    "norm",
    "positions",
)
MORE_SETTINGS = (
    "d_k",
    "d_v",
    "attention_scale",
    "residual",
    "embedding_scale",
    "attention_bias",
    "feed_forward_bias",
    "output_bias",
    "tie_output",
    "final_norm",
    "label_smoothing",
    "seed",
)
DISPLAY_SETTINGS = ("palette", "scale", "numbers")


class SettingsView:
    """One form for all settings; each change becomes a scenario or is answered by a sentence."""

    def __init__(self, state: AppState) -> None:
        self.state = state
        self._shown = _shown(state.scenario)
        self.form = Form(fields=_fields(state.scenario), on_change=self._change)
        state.param.watch(self._fill, "scenario")

    def _fill(self, event: Any) -> None:
        # With what the form shows, not with the scenario before: that one may never have come here.
        shown = _shown(self.state.scenario)
        if shown != self._shown:
            self.form.fields = _fields(self.state.scenario)
            self._shown = shown

    def _change(self, name: str, value: Any) -> str | None:
        scenario = self.state.scenario
        try:
            if name == "restore_all":
                self.state.change(scenario.without_edits())
            elif name == "release_all":
                self.state.change(scenario.without_overrides())
            elif name.startswith(VIEW_PREFIX):
                self.state.change(scenario.with_view(name.removeprefix(VIEW_PREFIX), value))
            else:
                self.state.change(scenario.with_setting(name, value))
        except ValueError as error:
            typed = str(value).strip()[:20]
            return f"“{typed}” does not fit. {error}" if typed else str(error)
        moved = self.state.scenario.settings.d_model
        if name == "heads" and moved != scenario.settings.d_model:
            self.state.notice = f"d_model moved to {moved}, so that {value} heads share it evenly."
        return None


def _shown(scenario: Scenario) -> tuple[Any, ...]:
    """What the fields say anything of."""
    words = len(scenario.source_vocabulary), len(scenario.target_vocabulary)
    return scenario.settings, scenario.view, scenario.locked, scenario.model, words


def _fields(scenario: Scenario) -> list[dict[str, Any]]:
    """All fields; where the model's sizes are fixed, locked ones, and why."""
    fields = [
        *_model_fields(scenario),
        *_more_fields(scenario),
        *_dropout_fields(scenario.settings),
        *_display_fields(scenario.view),
    ]
    why = scenario.locked.why
    if not why:
        return fields
    locked = (*SIZES, "seed") if scenario.weights else SIZES
    return [
        _note("why", why),
        *({**field, "disabled": True} if field["name"] in locked else field for field in fields),
    ]


def _model_fields(scenario: Scenario) -> list[dict[str, Any]]:
    settings = scenario.settings
    own: dict[str, dict[str, Any]] = {
        "d_ff": {"value": scenario.config.feed_forward_width, "step": 4},
        "positions": {"options": _positions(scenario)},
    }
    fields = [{**settings.field(name), **own.get(name, {})} for name in MODEL_SETTINGS]
    return [{**field, "group": MODEL} for field in fields] + [_note("count", _count(scenario))]


def _more_fields(scenario: Scenario) -> list[dict[str, Any]]:
    settings, config = scenario.settings, scenario.config
    own: dict[str, dict[str, Any]] = {
        "d_k": {"value": config.key_width},
        "d_v": {"value": config.value_width},
        "final_norm": {"value": config.has_final_norm},
    }
    fields: list[dict[str, Any]] = [
        {**settings.field(name), **own.get(name, {})} for name in MORE_SETTINGS
    ]
    fields += [
        {"name": "restore_all", "kind": "action", "label": "Restore every edited number"},
        {"name": "release_all", "kind": "action", "label": "Release every computed number"},
    ]
    return [{**field, "group": MORE, "folded": True} for field in fields]


def _dropout_fields(settings: ModelSettings) -> list[dict[str, Any]]:
    dropout = settings.dropout
    preset = {
        "name": f"{DROPOUT_PREFIX}preset",
        "kind": "choice",
        "label": "sites",
        "value": dropout.preset,
        "options": [
            ["paper", "paper"],
            ["after_activation", "after ReLU"],
            ["torch", "torch"],
            *([["own", "your own"]] if dropout.preset == "own" else []),
        ],
        "help": "Which places drop cells in training mode.",
    }
    sites = [
        {**field, "name": f"{DROPOUT_PREFIX}{field['name']}"}
        for field in dropout.fields(dropout.names())
    ]
    return [{**field, "group": DROPOUT, "folded": True} for field in (preset, *sites)]


def _display_fields(view: ViewSettings) -> list[dict[str, Any]]:
    own = {"scale": {"disabled": view.plane == "gradient"}}
    return [
        {**view.field(name), **own.get(name, {}), "name": VIEW_PREFIX + name, "group": DISPLAY}
        for name in DISPLAY_SETTINGS
    ]


def _note(name: str, text: str) -> dict[str, Any]:
    return {"name": name, "kind": "note", "label": "", "value": text, "group": MODEL}


def _count(scenario: Scenario) -> str:
    count = f"{scenario.config.parameter_count():,} parameters"
    if scenario.model != catalog.PAPER:
        return count
    paper = Config.preset(catalog.PAPER).parameter_count()
    return f"{count} with these words; {paper:,} with the paper's 37,000 tokens"


def _positions(scenario: Scenario) -> list[list[Any]]:
    """The choices of positions; a learned table cannot come or go where sizes are fixed."""
    choices = scenario.settings.field("positions")["options"]
    if not scenario.locked.why:
        return choices
    learned = scenario.settings.positions == "learned"
    return [choice for choice in choices if (choice[0] == "learned") == learned]
