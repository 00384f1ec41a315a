import re

import numpy as np
import pytest
from tinkerformer.board.stages import picture
from tinkerformer.board.stages.symbols import all_symbols
from tinkerformer.explain import suggestions
from tinkerformer.explain.changes import unedited
from tinkerformer.explain.labels import plain
from tinkerformer.explain.opening_row import opening_row
from tinkerformer.features.guide.view import GuideView
from tinkerformer.features.inspector.view import InspectorView
from tinkerformer.features.prediction.view import PredictionView
from tinkerformer.files import catalog
from tinkerformer.ideas.kit.symbols import symbol_html
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.writing import with_written_target
from tinkerformer.model.scenario.matrix_address import matrix_address
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.model.scenario.silences import Silence
from tinkerformer.session.state import AppState
from tinkerformer.shell import frame

from tests.app.learner import ENDLESS, Learner, on_app, scripted, small
from tests.app.learner import one_step_a_slice as one_step_a_slice
from tests.app.learner import played as run_script
from transformer_math import sweep


def opened(scenario=None):
    state = AppState(scenario)
    return state, GuideView(state)


def press(view, name):
    view.guide.receive({"type": "press", "name": name})


def test_the_phrase_translator_offers_three_suggestions_and_introduces_itself():
    state, view = opened()
    assert view.guide.value.startswith("A Transformer that translates English into French.")
    assert f"{state.scenario.config.parameter_count():,} weights and" in view.guide.value
    labels = dict(view.guide.things)
    assert [*labels] == ["swap", "look", "swing"]
    assert labels["swap"] == "Replace “black” by “white”"
    assert labels["look"] == "Let head 2 look only at “on”"
    assert labels["swing"] == "Let a number of “black” oscillate"


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("next-word", "A Transformer’s decoder that goes on with English phrases. You can change "),
        ("blanks", "A Transformer’s encoder that fills the blanks of French phrases. You can "),
    ],
)
def test_a_model_of_one_stack_is_introduced_by_its_kind(model, said):
    _, view = opened(catalog.first(model))
    assert view.guide.value.startswith(said)


def test_swapping_a_word_changes_the_written_words_and_the_next_suggestion_and_can_be_undone():
    state, view = opened()
    before = state.scenario
    press(view, "swap")
    assert "white" in state.scenario.source
    assert "blanc" in state.scenario.target
    assert dict(view.guide.things)["swap"].startswith("Replace “white” by ")
    state.undo()
    assert state.scenario == before


def test_attending_only_to_one_word_is_undone_by_its_own_button_and_keeps_other_suggestions():
    state, view = opened()
    before = dict(view.guide.things)
    press(view, "look")
    again = "Let head 2 look everywhere again"
    assert dict(view.guide.things) == {**before, "look": again}
    press(view, "look")
    assert dict(view.guide.things) == before
    assert state.scenario.edits == {}
    state.change(state.scenario.with_value("source.embedding", (0, 0), 1.0))
    own = state.scenario
    press(view, "look")
    looked = state.scenario
    assert looked != own
    for other in ("swing", "swap"):
        press(view, other)
        assert looked.edits.items() <= state.scenario.edits.items()
        assert dict(view.guide.things)["look"] == again
    press(view, "look")
    assert state.scenario.edits == own.edits
    assert dict(view.guide.things)["look"].endswith("”")


@pytest.mark.parametrize("model", ["next-word", "blanks", "dates", "sandbox"])
def test_attending_only_to_one_word_ends_when_another_model_opens(model):
    state, view = opened()
    press(view, "look")
    state.change(catalog.first(model))
    assert "Let head 2 look everywhere again" not in dict(view.guide.things).values()


@pytest.mark.parametrize("row", [0, 1, 4])
def test_the_suggested_attention_is_of_the_followed_row(row):
    state, view = opened()
    state.go("followed", ["decoder", row])
    assert " look only at “" in dict(view.guide.things)["look"]
    press(view, "look")
    assert state.location.followed == ("decoder", row)


def test_a_silenced_head_is_not_suggested():
    state, view = opened()
    before = dict(view.guide.things)["look"]
    (head,) = [k for k in (0, 1) if f"head {k + 1} " in before]
    scope = "decoder.0.cross_attn"
    state.change(state.scenario.with_silence(Silence(f"{scope}.head.{head}.context")))
    assert f"Let head {2 - head} look" in dict(view.guide.things)["look"]
    state.change(state.scenario.with_silence(Silence(f"{scope}.out")))
    found = suggestions.look(state.scenario, state.trace)
    assert found is None or not found.path.startswith(scope)


def test_the_suggestion_to_attend_edits_one_weight_of_the_row_and_follows_its_word():
    state, view = opened()
    before = state.scenario
    press(view, "look")
    assert state.selection is None
    stack, row = state.location.followed
    (path,) = {edit.path for edit in state.scenario.edits}
    assert path.startswith(f"{stack}.")
    alone = [head[row] for head in state.trace[path].value if head[row].max() == 1]
    assert [weights.sum() for weights in alone] == [1]
    assert state.scenario.target != before.target
    state.undo()
    assert state.scenario == before


def row_of_answer(state):
    """Return the position of the translation of “black”."""
    return state.scenario.target.index("noir") - 1


def test_oscillating_a_number_changes_its_written_word_and_undo_stops_it():
    state = AppState()
    inspector, prediction, view = InspectorView(state), PredictionView(state), GuideView(state)
    before = state.scenario
    press(view, "swing")
    path, row, _ = state.selection
    assert (path, state.scenario.source[row]) == ("source.embedding", "black")
    assert state.oscillation.on
    answer = row_of_answer(state)
    assert inspector.inspector.curve["row"] == prediction.prediction.value == answer
    state.undo()
    assert not state.oscillation.on
    assert prediction.prediction.value != answer
    assert state.scenario == before


@pytest.mark.parametrize(
    "scenario",
    [
        catalog.first("dates"),
        Scenario(),
        Scenario().with_setting("decoder_layers", 0),
        Scenario().with_setting("encoder_layers", 0),
        Scenario().with_setting("heads", 1).with_tokens("source", ["one"]),
        catalog.first("document-table"),
    ],
)
def test_every_suggestion_can_be_done_and_undone(scenario):
    state, view = opened(scenario)
    start = state.scenario
    for name, label in view.guide.things:
        assert label
        press(view, name)
        assert state.oscillation.on or state.scenario != start
        state.undo()
        assert state.scenario == start
    for unknown in ("explode", None, 1):
        press(view, unknown)
        assert state.scenario == start


def test_the_suggested_link_leads_to_the_most_telling_word():
    """That is the column that changes the row's prediction most."""
    runner = ForwardPassRunner()
    scenario = with_written_target(catalog.first("phrases"), runner)
    trace = runner.trace(scenario)
    found = suggestions.look(scenario, trace)
    assert found is not None
    stacked = trace["decoder.0.cross_attn.weights"].value
    assert trace[found.path].value[found.row, found.now] == stacked[:, : len(stacked[0]) - 1].max()
    now = trace["output.probabilities"].value[found.row]

    def moves(column):
        there = suggestions.looking_only(scenario, found._replace(column=column))
        return np.abs(runner.trace(there)["output.probabilities"].value[found.row] - now).sum()

    others = [k for k, token in enumerate(scenario.source) if token != scenario.source[found.now]]
    assert moves(found.column) == max(map(moves, others))


def test_the_oscillating_number_is_the_one_to_drag_and_reaches_another_written_word():
    state, view = opened(catalog.first("phrases"))
    scenario, trace = state.scenario, state.trace
    press(view, "swing")
    path, row, column = state.selection
    numbers = trace[path].value[row]
    assert abs(numbers[column]) == np.abs(numbers).max()
    word = opening_row(scenario, trace)
    assert (row, "encoder") == (word.read.position, word.read.stack)
    far = state.oscillation.amplitude
    ends = [numbers[column] - far, numbers[column] + far]
    shares = sweep(trace, path, (row, column), ends)["output.probabilities"].value
    asked = word.writes.position
    now = trace["output.probabilities"].value[asked].argmax()
    assert (shares[:, asked].argmax(-1) != now).any()


def test_a_date_is_only_replaced_by_a_date():
    runner = ForwardPassRunner()
    scenario = catalog.first("dates")
    found = suggestions.swap(scenario, runner.trace(scenario))
    assert found is not None
    tokens = [*scenario.source]
    tokens[found.position] = found.token
    text = "".join(tokens[1:-1])
    assert scenario.data is not None
    assert scenario.data.answers(text)


def test_an_edit_keeps_the_suggestions(monkeypatch):
    state, view = opened()
    made = []
    monkeypatch.setattr(view, "_choose", lambda: made.append(1))
    state.change(state.scenario.with_value("source.W_e", (0, 0), 2))
    assert made == []
    state.change(state.scenario.with_setting("d_ff", 8))
    assert made == [1]


@pytest.mark.parametrize("name", ["_choose", "_choose_look"])
def test_following_another_row_renews_only_the_suggestion_on_attention(monkeypatch, name):
    state, view = opened()
    made = []
    monkeypatch.setattr(view, name, lambda: made.append(1))
    state.location = state.location._replace(asked=0)
    assert made == ([1] if name == "_choose_look" else [])


def shared(scenario: Scenario) -> tuple[AppState, GuideView]:
    """Return a page that has just opened a link to a scenario."""
    state, view = opened()
    state.change(scenario)
    state.shared = scenario
    return state, view


def edited(first: Scenario) -> Scenario:
    words = ["white" if word == "black" else word for word in first.source]
    head = Silence("encoder.0.self_attn.head.1.context")
    changed = first.with_tokens("source", words).with_silence(head).with_training(True)
    changed = changed.with_value("source.embedding", (1, 3), 1.06)
    return changed.with_value("decoder.0.cross_attn.weights", (0, 2, 1), 0.9)


def test_a_link_states_its_changes():
    first = catalog.first("phrases")
    scenario = edited(first)
    before = ForwardPassRunner().trace(unedited(scenario))["source.embedding"].value[1, 3]
    state, view = shared(scenario)
    assert view.guide.shared
    line = view.guide.value
    assert line.startswith("“black” → “white”; head 2 of encoder layer 1, ")
    assert f"“white”, column d3 in E: {before:.3g} → 1.06".replace("-", "−") in line
    assert "“chat” to “white” in A₁, decoder layer 1, cross-attention: " in line
    assert "; dropout on; " in line
    # The shared scenario is described even after edits.
    state.change(scenario.with_value("source.embedding", (1, 4), 2))
    assert view.guide.value == line
    press(view, "seen")
    assert not view.guide.shared
    assert "swap" in dict(view.guide.things)


@pytest.mark.parametrize(
    "undone",
    [
        lambda shared: shared.without_silence(*shared.silences[0].part),
        lambda shared: shared.with_tokens("source", ["the", "cat"]),
        lambda shared: shared.with_value("source.embedding", (1, 3), 2.0),
        lambda shared: shared.with_training(False),
    ],
)
def test_after_the_changes_of_a_link_are_undone_the_link_is_not_described(undone):
    scenario = edited(catalog.first("phrases"))
    state, view = shared(scenario)
    assert view.guide.shared
    state.change(undone(scenario))
    assert not view.guide.shared
    assert view.guide.value.startswith("A Transformer that translates")


def test_a_shared_scenario_is_compared_with_the_unedited_model():
    scenario = edited(catalog.first("phrases"))
    state, view = shared(scenario)
    now = state.scenario
    press(view, "compare")
    assert state.baseline == unedited(now)
    assert state.scenario.view.plane == "change"
    assert view.guide.shared
    press(view, "fresh")
    assert not view.guide.shared
    assert not state.scenario.edits
    assert not state.scenario.silences
    _, view = shared(catalog.first("phrases"))  # nothing is changed, so nothing is stated
    assert not view.guide.shared
    assert "swap" in dict(view.guide.things)


def meanings(manifest):
    """Return path -> symbol and meaning of every matrix that is drawn."""
    return {
        each["path"]: (each["tex"], each["meaning"])
        for each in manifest["matrices"]
        if "meaning" in each
    }


@pytest.mark.parametrize("training", [False, True])
def test_every_symbol_of_the_picture_is_explained_once_in_the_words_of_its_tooltip(training):
    scenario = catalog.first("phrases").with_training(training)
    state, view = opened(scenario)
    folded = picture.manifest(scenario, state.trace, 1)
    parts = folded["whole"]["parts"]
    drawn = picture.manifest(scenario, state.trace, 1, [part["id"] for part in parts])
    listed = dict(view.guide.symbols)
    assert len(listed) == len(view.guide.symbols)
    of_symbol = {symbol: words for names, words in listed.items() for symbol in names.split()}
    for path, (_, meaning) in meanings(drawn).items():
        stored = matrix_address(path).stored
        if "@" not in path:
            assert of_symbol[plain(state.trace[stored].symbol)] == meaning, path
    assert of_symbol["⊕"].startswith("Residual connection: what enters a sublayer is added to")
    assert ("X′" in of_symbol) == training


def test_the_help_explains_the_symbols_of_all_models():
    help_html = frame.help_html()
    for names, meaning in all_symbols():
        assert f"<dd>{meaning}.</dd>" in help_html
        for name in names:
            assert symbol_html(name) in help_html
    assert "<i>W</i><sup><i>Q</i></sup>" in help_html
    assert "<dt>loss</dt>" in help_html
    assert frame.SYMBOLS not in help_html


def test_the_guide_names_the_colors_of_the_chosen_palette():
    state, view = opened()
    assert dict(view.guide.reading)["sign"].startswith("Blue is positive, red negative.")
    state.change(state.scenario.with_view("palette", "safe"))
    assert dict(view.guide.reading)["sign"].startswith("Blue is positive, orange negative.")


def test_suggestions_name_words_by_the_weights_at_the_end_of_a_training_run():
    state, view = opened(catalog.first("phrases"))
    first = dict(view.guide.things)
    state.learning = True
    state.change(with_written_target(state.scenario.with_weights(None), state.runner))
    assert {**dict(view.guide.things), "look": first["look"]} == first
    state.learning = False
    assert dict(view.guide.things)["look"] != first["look"]
    press(view, "look")
    assert state.location.followed[1] < len(state.scenario.target)


@pytest.mark.usefixtures("one_step_a_slice")
@scripted(run_script, lambda: on_app(small(**ENDLESS)))
async def test_the_guide_has_the_progress_of_a_training_run_and_pauses_it(learner: Learner):
    pressed: list[str] = []
    state, session = learner.page, learner.session
    view = GuideView(state, training=session, on_run=pressed.append)
    assert (view.guide.run, view.guide.buttons) == ("", [name for name, _ in view.guide.things])
    await session.play()
    await learner.until_step(3)
    assert view.guide.run == "pause"
    assert re.match(r"Training: step \d+ of 5,000\b", view.guide.value)
    press(view, "play")
    press(view, "pause")
    assert pressed == ["pause"]
    await session.pause()
    assert view.guide.run == "play"
    assert "of its training" in view.guide.value
