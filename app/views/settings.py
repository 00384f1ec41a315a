"""The left side, below: every setting of the model and of the view."""

from __future__ import annotations

from typing import Any

from transformer_math import Config
from transformer_math.ops.activation import ACTIVATION_FUNCTIONS

from ..components.form.form import Form
from ..files import catalog
from ..scenario.model_settings import LIMITS, RATE_LIMITS, SITES, SIZES, Settings, label
from ..scenario.scenario import Scenario
from ..state import AppState

MODEL, MORE, DROPOUT, DISPLAY = "Model", "More of the model", "Dropout rates", "Display"
VIEW_PREFIX = "view_"

NO_RESIDUAL = "Off: x + is left out of every sublayer, to see why it is there."
SMOOTHING = (
    "Of the loss. With 0.1 the right word should have a probability of 0.9, and the other words "
    "share the rest."
)


class SettingsView:
    """One form for all settings; each change becomes a scenario or is answered by a sentence."""

    def __init__(self, state: AppState) -> None:
        self.state = state
        self.form = Form(fields=_fields(state.scenario), on_change=self._change)
        state.param.watch(self._fill, "scenario")

    def _fill(self, event: Any) -> None:
        if _shown_key(event.old) != _shown_key(event.new):
            self.form.fields = _fields(self.state.scenario)

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


def _shown_key(scenario: Scenario) -> tuple[Any, ...]:
    """What the fields say anything of."""
    words = len(scenario.source_vocabulary), len(scenario.target_vocabulary)
    return scenario.settings, scenario.view, scenario.locked, scenario.model, words


def _fields(scenario: Scenario) -> list[dict[str, Any]]:
    """All fields; where the model's sizes are fixed, locked ones, and why."""
    fields = _all_fields(scenario)
    if not scenario.locked.why:
        return fields
    why = {"name": "why", "kind": "note", "label": "", "value": scenario.locked.why, "group": MODEL}
    locked = (*SIZES, "seed") if scenario.weights else SIZES
    return [
        why,
        *({**field, "disabled": True} if field["name"] in locked else field for field in fields),
    ]


def _count(scenario: Scenario) -> str:
    count = f"{scenario.config.parameter_count():,} parameters"
    if scenario.model != catalog.PAPER:
        return count
    paper = Config.preset(catalog.PAPER).parameter_count()
    return f"{count} with these words; {paper:,} with the paper's 37,000 tokens"


def _positions(scenario: Scenario) -> list[list[str]]:
    """The choices of positions; a learned table cannot come or go where sizes are fixed."""
    choices = [
        ["sinusoidal", "sine, cosine"],
        ["sinusoidal_halves", "sines | cosines"],
        ["learned", "learned"],
        ["none", "none"],
    ]
    if not scenario.locked.why:
        return choices
    learned = scenario.settings.positions == "learned"
    return [choice for choice in choices if (choice[0] == "learned") == learned]


def _all_fields(scenario: Scenario) -> list[dict[str, Any]]:
    settings, config = scenario.settings, scenario.config
    return [
        _integer(settings, "d_model", MODEL, step=settings.d_model_step),
        _integer(settings, "heads", MODEL),
        _integer(settings, "encoder_layers", MODEL),
        _integer(settings, "decoder_layers", MODEL),
        _integer(settings, "d_ff", MODEL, value=config.feed_forward_width, step=4),
        _choice(
            settings,
            "activation",
            MODEL,
            [[name, function.name] for name, function in ACTIVATION_FUNCTIONS.items()],
        ),
        _choice(
            settings,
            "norm",
            MODEL,
            [["post", "after (paper)"], ["pre", "before"]],
            help="After each sublayer as in the paper, or before it as in most models today.",
        ),
        _choice(
            settings,
            "positions",
            MODEL,
            _positions(scenario),
        ),
        {
            "name": "count",
            "kind": "note",
            "label": "",
            "value": _count(scenario),
            "group": MODEL,
        },
        _integer(settings, "d_k", MORE, value=config.key_width),
        _integer(settings, "d_v", MORE, value=config.value_width),
        _choice(
            settings,
            "attention_scale",
            MORE,
            [["d_k", "√d_k"], ["d_model", "√d_model"], ["none", "no scale"]],
        ),
        {**_switch(settings, "residual", MORE), "help": NO_RESIDUAL},
        _switch(settings, "embedding_scale", MORE),
        _switch(settings, "attention_bias", MORE),
        _switch(settings, "feed_forward_bias", MORE),
        _switch(settings, "output_bias", MORE),
        _switch(settings, "tie_output", MORE),
        {**_switch(settings, "final_norm", MORE), "value": config.has_final_norm},
        {
            "name": "label_smoothing",
            "kind": "number",
            "label": label("label_smoothing"),
            "value": settings.label_smoothing,
            "minimum": RATE_LIMITS[0],
            "maximum": RATE_LIMITS[1],
            "step": 0.1,
            "group": MORE,
            "folded": True,
            "help": SMOOTHING,
        },
        _integer(
            settings, "seed", MORE, help="Another seed draws other weights; the same one the same."
        ),
        {
            "name": "restore_all",
            "kind": "action",
            "label": "Restore every edited number",
            "group": MORE,
            "folded": True,
        },
        {
            "name": "release_all",
            "kind": "action",
            "label": "Release every computed number",
            "group": MORE,
            "folded": True,
        },
        {
            "name": "dropout_preset",
            "kind": "choice",
            "label": "sites",
            "value": settings.dropout_preset,
            "options": [
                ["paper", "paper"],
                ["seed", "after ReLU"],
                ["torch", "torch"],
                *([["own", "your own"]] if settings.dropout_preset == "own" else []),
            ],
            "group": DROPOUT,
            "folded": True,
            "help": "Which places drop cells in training mode.",
        },
        *[
            {
                "name": f"dropout_{site}",
                "kind": "number",
                "label": words,
                "value": getattr(settings.dropout, site),
                "minimum": RATE_LIMITS[0],
                "maximum": RATE_LIMITS[1],
                "step": 0.1,
                "group": DROPOUT,
                "folded": True,
            }
            for site, words in SITES.items()
        ],
        _view(
            scenario,
            "palette",
            "colors",
            [["blue-red", "blue and red"], ["safe", "color-blind safe"]],
        ),
        {
            **_view(scenario, "scale", "scale", [["fixed", "−10 to 10"], ["matrix", "by matrix"]]),
            "disabled": scenario.view.plane == "gradient",
            "help": "Gradients always have a scale for each matrix.",
        },
        _view(
            scenario, "numbers", "numbers", [["scientific", "scientific"], ["decimal", "decimal"]]
        ),
    ]


def _integer(settings: Settings, name: str, group: str, **more: Any) -> dict[str, Any]:
    low, high = LIMITS[name]
    return {
        "name": name,
        "kind": "integer",
        "label": label(name),
        "value": getattr(settings, name),
        "minimum": low,
        "maximum": high,
        "step": 1,
        "group": group,
        "folded": group == MORE,
        **more,
    }


def _choice(
    settings: Settings, name: str, group: str, options: list[list[str]], **more: Any
) -> dict[str, Any]:
    return {
        "name": name,
        "kind": "choice",
        "label": label(name),
        "value": getattr(settings, name),
        "options": options,
        "group": group,
        "folded": group == MORE,
        **more,
    }


def _switch(settings: Settings, name: str, group: str) -> dict[str, Any]:
    return {
        "name": name,
        "kind": "switch",
        "label": label(name),
        "value": bool(getattr(settings, name)),
        "group": group,
        "folded": group == MORE,
    }


def _view(scenario: Scenario, name: str, label: str, options: list[list[str]]) -> dict[str, Any]:
    return {
        "name": VIEW_PREFIX + name,
        "kind": "choice",
        "label": label,
        "value": getattr(scenario.view, name),
        "options": options,
        "group": DISPLAY,
    }
