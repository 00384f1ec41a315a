import pytest
from tinkerformer.features.dropout.view import DropoutView
from tinkerformer.features.settings.view import SettingsView
from tinkerformer.files import catalog
from tinkerformer.model.scenario.silences import Silence
from tinkerformer.session.state import AppState

FIRST = catalog.first("phrases")
SILENCE = Silence("decoder.0.cross_attn.head.1.context")


@pytest.mark.parametrize(
    ("scenario", "name"),
    [
        (FIRST, "Settings"),
        (FIRST.with_training(True), "Settings · dropout on"),
        (FIRST.with_silence(SILENCE), "Settings · 1 silenced"),
        (FIRST.with_training(True).with_silence(SILENCE), "Settings · dropout on · 1 silenced"),
    ],
)
def test_the_button_names_the_settings_that_differ_from_the_default(scenario, name):
    state = AppState(FIRST)
    view = SettingsView(state)
    state.change(scenario)
    assert view.button.value == name
    state.undo()
    assert view.button.value == "Settings"


def test_the_switch_of_dropout_changes_the_scenario_and_shows_its_settings():
    state = AppState(FIRST)
    view = DropoutView(state)

    def hidden():
        return {field["name"] for field in view.form.fields if field.get("hidden")}

    assert hidden() == {"resample", "keep_masks"}
    view.form.receive({"type": "change", "name": "training", "value": True})
    assert state.scenario.training
    assert not hidden()
    view.form.receive({"type": "change", "name": "training", "value": False})
    assert not state.scenario.training
    assert hidden() == {"resample", "keep_masks"}
