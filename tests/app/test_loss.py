import json

import numpy as np
import pytest
from tinkerformer.board import stages
from tinkerformer.features.tokens.view import TokensView
from tinkerformer.files.catalog import first
from tinkerformer.learning import TrainingPlan
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.session_json import SavedSession, from_dict, to_dict
from tinkerformer.session.state import AppState
from tinkerformer.session.undo import Step, UndoHistory
from tinkerformer.view_model.last_edit import Changed, edit_after

from tests.app.cells import gradient_details
from tests.app.losses import EACH, SCENARIOS
from transformer_math.data.tokenizer import EOS, PAD

# -- labels ----------------------------------------------------------------------------------------


def test_the_next_word_is_right_at_each_position():
    scenario = Scenario()
    assert scenario.label_tokens == ("le", "chat", EOS)
    chosen = scenario.with_expected("est")
    assert chosen.label_tokens == ("le", "chat", "est")
    trace = ForwardPassRunner().trace(chosen)
    logits = trace["output.logits"].value.astype(float)
    right = [chosen.target_vocabulary.index(word) for word in ("le", "chat", "est")]
    losses = np.log(np.exp(logits).sum(-1)) - logits[range(3), right]
    np.testing.assert_allclose(trace["output.token_loss"].value, losses, rtol=1e-5)
    assert float(trace["output.loss"].value) == pytest.approx(losses.mean(), rel=1e-5)


def test_the_labels_of_an_encoder_alone_are_its_own_words():
    scenario = SCENARIOS["encoder-only"]
    assert scenario.label_tokens == scenario.source
    assert scenario.labels() == scenario.ids("source")


def test_padding_does_not_count_and_the_word_before_it_predicts_the_end():
    scenario = SCENARIOS["padded"]
    assert scenario.label_tokens == ("b", "c", EOS, PAD, PAD)
    losses = ForwardPassRunner().trace(scenario)["output.token_loss"].value
    assert (losses[:3] > 0).all()
    assert (losses[3:] == 0).all()
    loss = ForwardPassRunner().trace(scenario)["output.loss"].value
    assert float(loss) == pytest.approx(float(losses.sum()) / 3, rel=1e-6)


def test_an_expected_word_that_is_removed_is_replaced_by_the_end_token_until_it_returns():
    chosen = Scenario().with_expected("tapis")
    gone = chosen.with_answers([word for word in chosen.answers if word != "tapis"])
    assert gone.label_tokens[-1] == EOS
    assert gone.with_answers([*gone.answers, "tapis"]).label_tokens[-1] == "tapis"
    without_end = chosen.with_answers(["le"])
    assert without_end.label_tokens[-1] in without_end.target_vocabulary
    state = AppState(gone)
    choice = TokensView(state).tokens.lists[1]["choice"]
    assert choice["value"] == EOS
    assert "“tapis”" in choice["note"]
    with pytest.raises(ValueError, match="tapis"):
        gone.with_expected("tapis")


def test_the_expected_word_is_changed_like_any_other_setting():
    state = AppState()
    view = TokensView(state)
    view.tokens.receive({"type": "choice", "name": "target", "word": "est"})
    assert state.scenario.expected == "est"
    view.tokens.receive({"type": "choice", "name": "target", "word": "no such"})
    assert "no such" in view.tokens.lists[1]["error"]
    view.tokens.receive({"type": "choice", "name": "source", "word": "le"})
    view.tokens.receive({"type": "choice", "name": "target", "word": 3})
    assert state.scenario.expected == "est"
    state.undo()
    assert state.scenario.expected == EOS


def test_expected_word_and_smoothing_are_saved_and_old_links_are_read():
    scenario = Scenario().with_expected("est").with_setting("label_smoothing", 0.2)
    data = to_dict(SavedSession(scenario))
    assert data["expected"] == "est"
    assert data["settings"] == {"label_smoothing": 0.2}
    assert from_dict(json.loads(json.dumps(data))).scenario == scenario
    assert from_dict({"version": 1}).scenario.expected == EOS
    history = UndoHistory()
    history.record(edit_after(None, Changed(Scenario(), scenario, 0.0)))
    assert history.undo(Step(scenario)) == Step(Scenario())


def test_smoothing_does_not_create_another_model():
    runner = ForwardPassRunner()
    model = runner.model(Scenario())
    assert runner.model(Scenario().with_setting("label_smoothing", 0.3)) is model


def test_the_expected_last_token_of_the_date_translator_is_the_end_token():
    scenario = first("dates")
    trace = ForwardPassRunner().trace(scenario)
    assert scenario.label_tokens[-1] == EOS
    loss = float(trace["output.loss"].value)
    least = TrainingPlan.of(scenario).minimum_loss()  # the lowest loss with label smoothing
    assert least <= loss < least + 0.1
    plain = ForwardPassRunner().trace(scenario.with_setting("label_smoothing", 0))
    assert float(plain["output.loss"].value) < 0.2  # −log 0.9 is about 0.1


# -- the stage -------------------------------------------------------------------------------------


@EACH
def test_the_last_matrices_of_the_output_are_the_losses(scenario):
    manifest = stages.manifest(scenario, ForwardPassRunner().trace(scenario), 1)
    of = {m["path"]: m for m in manifest["matrices"]}
    assert of["output.loss"]["rows"] == of["output.loss"]["cols"] == 1
    assert not of["output.loss"]["editable"]
    assert of["output.token_loss"]["axes"][1]["labels"] == list(scenario.label_tokens)
    *_, each, mean = manifest["stages"][-1]["rows"]
    assert each["tex"][0].startswith(r"\ell =")
    assert mean["tex"][0].startswith(r"\mathrm{loss} =")
    for path in ("output.loss", "output.token_loss", "output.labels"):
        assert scenario.shape(path) is None
    with pytest.raises(ValueError, match="set"):
        scenario.with_value("output.token_loss", (0,), 1.0)


def test_the_captions_change_with_label_smoothing():
    captions = [
        stages.manifest(s, ForwardPassRunner().trace(s), 1)["stages"][-1]["rows"][-2]["caption"]
        for s in (Scenario(), SCENARIOS["smoothed"])
    ]
    assert "t is 1 at the right word" in captions[0]
    assert "t is 0.9 at the right word and 0.0143" in captions[1]


def test_without_residual_connections_the_residual_is_the_output_of_the_sublayer():
    for norm in ("post", "pre"):
        scenario = SCENARIOS["no residual"].with_setting("norm", norm)
        trace = ForwardPassRunner().trace(scenario)
        out = trace["encoder.0.self_attn.out"].value
        np.testing.assert_array_equal(trace["encoder.0.self_attn.residual"].value, out)
        manifest = stages.manifest(scenario, trace, 1)
        assert not any(m["path"].endswith("residual") for m in manifest["matrices"])
        captions = [r["caption"] or "" for s in manifest["stages"] for r in s["rows"]]
        assert sum("does not add its input" in c for c in captions) == 5


def test_the_page_states_whether_the_model_s_own_words_count_as_right():
    phrases = first("phrases")
    for scenario in (phrases, phrases.with_writing(False)):
        runner = ForwardPassRunner()
        manifest = stages.manifest(scenario, runner.trace(scenario), 1)
        said = json.dumps(manifest).count("Here the words that the model writes count as right.")
        assert said == (2 if scenario.writes_itself else 0)
        found = gradient_details(runner, scenario, "output.W_out", 0, 0)
        assert found["right"] == ("what it writes itself" if scenario.writes_itself else "")
