"""Shows the settings of the model and of the display, and the button that opens their panel."""

from typing import Any

from transformer_math import Config

from ...components.form.fields import action, note
from ...components.form.settings_form import Section, SettingsForm
from ...components.panel_button.panel_button import PanelButton
from ...model.scenario import model_names
from ...model.scenario.model_settings import SIZES
from ...model.scenario.scenario import Scenario
from ...session.state import AppState

# In the order of the page; each setting is in one section or has its own control elsewhere.
MODEL = (
    "d_model",
    "heads",
    "encoder_layers",
    "decoder_layers",
    "d_ff",
    "activation",
    "norm",
    "positions",
    "causal_mask",
)
MORE = (
    "d_k",
    "d_v",
    "attention_scale",
    "residual",
    "embedding_scale",
    "embedding_norm",
    "attention_bias",
    "feed_forward_bias",
    "output_bias",
    "output_transform",
    "tie_output",
    "final_norm",
    "norm_deviation",
    "label_smoothing",
    "smoothing_form",
    "seed",
)
DISPLAY = ("palette", "scale", "numbers")
HOLDS = "d_model and the other sizes; dropout: rates, and what is dropped; what to show"
BUTTONS = (
    action("restore_all", "Restore every edited number"),
    action("release_all", "Restore every computed number"),
)


class SettingsView:
    """Two forms, for the model and the display; each change creates a new scenario or is refused.

    `button` opens their panel, and lists the settings that change the written words.
    """

    def __init__(self, state: AppState) -> None:
        self.state = state
        scenario = state.scenario
        self.form = SettingsForm(value=scenario.settings, sections=_sections(scenario))
        self.display = SettingsForm(value=scenario.view, sections=_display(scenario))
        self.button = PanelButton(
            value=_name(scenario), label="settings of the model", about=HOLDS, sizing_mode=None
        )
        self._shown = _shown(scenario)
        self.form.param.watch(self._on_settings, "value")
        self.form.on_press(self._on_press)
        self.display.param.watch(self._on_view, "value")
        state.watch_calmly(self._fill, "scenario")

    def _fill(self, *_: Any) -> None:
        # Compare with the forms, not with the previous scenario, which may never have been shown.
        scenario = self.state.scenario
        self.button.update_changed(value=_name(scenario))
        shown = _shown(scenario)
        if shown != self._shown:
            self._shown = shown
            self.form.param.update(value=scenario.settings, sections=_sections(scenario))
            self.display.param.update(value=scenario.view, sections=_display(scenario))

    def _on_settings(self, event: Any) -> None:
        scenario = self.state.scenario
        if event.new == scenario.settings:
            return
        self.state.change(scenario.with_settings(event.new))
        if event.new.heads != event.old.heads and event.new.d_model != event.old.d_model:
            heads, moved = event.new.heads, event.new.d_model
            self.state.notice = f"d_model is now {moved}, so that {heads} heads share it evenly."

    def _on_view(self, event: Any) -> None:
        if event.new != self.state.scenario.view:
            self.state.change(self.state.scenario.with_view_settings(event.new))

    def _on_press(self, name: str) -> None:
        scenario = self.state.scenario
        without = {
            "restore_all": scenario.without_edits,
            "release_all": scenario.without_overrides,
        }
        self.state.change(without[name]())


def _name(scenario: Scenario) -> str:
    """Return the button's label, with the settings that change the written words."""
    silenced = len(scenario.silences)
    states = (
        *(("dropout on",) if scenario.training else ()),
        *((f"{silenced} silenced",) if silenced else ()),
    )
    return " · ".join(("Settings", *states))


def _shown(scenario: Scenario) -> tuple[Any, ...]:
    """Return a key of everything that the fields depend on."""
    words = len(scenario.source_vocabulary), len(scenario.target_vocabulary)
    return scenario.settings, scenario.view, scenario.locked, scenario.model, words


def _sections(scenario: Scenario) -> list[Section]:
    """Return the sections of the model's form; fixed sizes are disabled, with the reason."""
    config, why = scenario.config, scenario.locked.why
    own: dict[str, dict[str, Any]] = {
        "d_ff": {"value": config.feed_forward_width},
        "d_k": {"value": config.key_width},
        "d_v": {"value": config.value_width},
        "final_norm": {"value": config.has_final_norm},
        "positions": {"options": _positions(scenario)},
    }
    if why:
        locked = (*SIZES, "seed") if scenario.weights else SIZES
        own |= {name: {**own.get(name, {}), "disabled": True} for name in locked}
    notes = (note("why", why),) if why else ()
    count = (note("count", _count(scenario)),)
    return [
        Section(MODEL, "Model", own=own, before=notes, after=count),
        Section(MORE, "More of the model", folded=True, own=own, after=BUTTONS),
    ]


def _display(scenario: Scenario) -> list[Section]:
    own = {"scale": {"disabled": scenario.view.plane == "gradient"}}
    return [Section(DISPLAY, "Display", own=own)]


def _count(scenario: Scenario) -> str:
    count = f"{scenario.config.parameter_count():,} parameters"
    if scenario.model not in (model_names.PAPER, model_names.BIG):
        return count
    paper = Config.preset(scenario.model).parameter_count()
    return f"{count} with these words; {paper:,} with the paper's 37,000 tokens"


def _positions(scenario: Scenario) -> list[list[Any]]:
    """Return the options for positions; if sizes are fixed, a learned table stays as it is."""
    choices = scenario.settings.field("positions")["options"]
    if not scenario.locked.why:
        return choices
    learned = scenario.settings.positions == "learned"
    return [choice for choice in choices if (choice[0] == "learned") == learned]
