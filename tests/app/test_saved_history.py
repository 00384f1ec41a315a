import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tinkerformer.board.view import ExploreView
from tinkerformer.features.header.view import HeaderView
from tinkerformer.learning import TrainingPlan
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.writing import with_written_target
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.model.scenario.weights import Weights
from tinkerformer.session import saved_history as kept_history
from tinkerformer.session.saved_history import HistoryWriter, read_history
from tinkerformer.session.session_json import to_json
from tinkerformer.session.state import AppState

from tests.app.learner import small

CHANGES = {
    "edit": lambda s, k: s.with_value("source.W_e", (0, k % 3), k),
    "release": lambda s, k: s.without_value("source.W_e", (0, k % 3)),
    "words": lambda s, k: s.with_tokens("source", ["a", "cat", "dog"][: 1 + k % 3]),
    "d_model": lambda s, k: s.with_setting("d_model", str(4 + 4 * (k % 3))),
    "dropout": lambda s, k: s.with_training(k % 2 == 0),
    "colors": lambda s, k: s.with_view("palette", ["safe", "blue-red"][k % 2]),
}


class Tab:
    """A page, and the session that its tab stores."""

    def __init__(self, kept=None, scenario=None):
        self.state = AppState(scenario or Scenario())
        self.explore, self.header = ExploreView(self.state), HeaderView(self.state)
        self.messages = []
        self.explore.board.component.connect(self.messages.append)
        self.explore.board._receive({"type": "ready", **(kept or {}), "again": True})

    @property
    def kept(self):
        last = [message for message in self.messages if message["type"] == "scenario"][-1]
        return {"saved": last["scenario"], "steps": last["steps"]}

    def reloaded(self):
        return Tab(self.kept)

    @property
    def undo(self):
        (field,) = [field for field in self.header.form.fields if field["name"] == "undo"]
        return field


def undone(state):
    """Return all scenarios, by undo to the first and redo to the last."""
    found = [state.scenario]
    for move in (state.undo, state.redo):
        while True:
            before = state.scenario
            move()
            if state.scenario == before:
                break
            found.append(state.scenario)
    return found


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(sorted(CHANGES)), st.integers(0, 8)), max_size=8))
def test_a_reload_keeps_the_steps_of_undo(changes):
    tab = Tab()
    for name, k in changes:
        tab.state.change(CHANGES[name](tab.state.scenario, k))
    tab.state.undo()
    again = tab.reloaded().reloaded()
    assert again.state.scenario == tab.state.scenario
    assert undone(again.state) == undone(tab.state)


def test_undo_crosses_the_steps_before_and_after_a_reload():
    tab = Tab()
    scenarios = [tab.state.scenario]
    for k in range(4):
        if k == 2:
            tab = tab.reloaded()
        tab.state.change(tab.state.scenario.with_value("source.W_e", (0, 0), k))
        scenarios.append(tab.state.scenario)
    tab = tab.reloaded()
    for expected in reversed(scenarios[:-1]):
        tab.state.undo()
        assert tab.state.scenario == expected
    assert tab.undo["disabled"]
    assert tab.undo["title"] == "Undo (Ctrl+Z)"
    for expected in scenarios[1:]:
        tab.state.redo()
        assert tab.state.scenario == expected


def test_undo_restores_the_weights_before_a_training_run():
    scenario = small()
    trained = {path: array * 0 + 0.5 for path, array in parameters(scenario).items()}
    own = scenario.own_vocabulary
    tab = Tab(scenario=scenario)
    tab.state.change(scenario.trained(Weights(trained, own.source, own.target), 3))
    tab.state.change(tab.state.scenario.with_value("source.W_e", (0, 0), 1))
    again = tab.reloaded()
    again.state.undo()
    assert again.state.scenario.weights == tab.state.scenario.weights
    again.state.undo()
    assert again.state.scenario == with_written_target(scenario, ForwardPassRunner())


def parameters(scenario):
    return TrainingPlan.of(scenario).model().parameters


def test_the_button_states_that_earlier_steps_were_not_kept(monkeypatch):
    monkeypatch.setattr(kept_history, "MAX_CHARACTERS", 150)
    tab = Tab()
    for k in range(20):
        tab.state.change(tab.state.scenario.with_value("source.W_e", (0, 0), k + 1))
    again = tab.reloaded()
    assert 0 < len(again.state.history.past) < 20
    assert "earlier steps were not kept" in again.undo["title"]


@pytest.mark.parametrize("steps", [None, "", "7", '{"past":1,"future":[],"cut":false}', "[" * 9999])
def test_with_unreadable_steps_undo_says_so_and_goes_to_the_page_as_it_opens(steps):
    tab = Tab()
    tab.state.change(tab.state.scenario.with_value("source.W_e", (0, 0), 3))
    again = Tab({"saved": tab.kept["saved"], "steps": steps})
    assert "earlier steps were not kept" in again.undo["title"]
    assert len(again.state.history.past) == 1


NESTED = {"in": {"settings": {"in": {"settings": {"in": {"settings": {"in": {"x": {}}}}}}}}}


@pytest.mark.parametrize(
    "step",
    [
        7,
        {"more": 1},
        {"set": 1},
        {"in": {"edits": {}}},
        {"set": {"source": [1]}},
        {"gone": 7},
        {"set": {"model": "none"}},
        {"set": {"settings": {"settings": {}}}, **NESTED},
    ],
)
def test_an_invalid_step_is_reported_and_changes_nothing(step):
    tab = Tab()
    steps = json.dumps({"past": [{}, step], "future": [], "cut": False})
    other = Tab({"saved": to_json(tab.state.snapshots.take()), "steps": steps})
    other.state.undo()
    before = other.state.scenario
    other.state.undo()
    assert other.state.scenario == before
    assert other.state.notice.startswith("The steps that this tab had kept cannot be read.")
    assert other.undo["disabled"]


def test_each_step_is_written_once(monkeypatch):
    state, writer = AppState(Scenario()), HistoryWriter()
    for k in range(30):
        state.change(state.scenario.with_value("source.W_e", (0, 0), k))
    text = writer.text(state.history, state.scenario)
    asked = []
    written = kept_history.scenario_to_dict
    monkeypatch.setattr(
        kept_history, "scenario_to_dict", lambda *a, **k: asked.append(a) or written(*a, **k)
    )
    assert writer.text(state.history, state.scenario) == text
    assert not asked
    state.change(state.scenario.with_value("source.W_e", (0, 1), 2))
    writer.text(state.history, state.scenario)
    assert len(asked) == 2
    assert len(read_history(text).past) == len(state.history.past) - 1
