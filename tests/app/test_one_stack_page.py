import numpy as np
import pytest
import tinkerformer as tf
from tinkerformer.board.stages import picture
from tinkerformer.decoding import decoding_task
from tinkerformer.decoding.settings import DecodingSettings
from tinkerformer.explain.opening_row import opening_word
from tinkerformer.features.prediction.view import PredictionView
from tinkerformer.features.tokens.view import TokensView
from tinkerformer.features.translate.view import TranslateView
from tinkerformer.files import catalog
from tinkerformer.learning.examples import examples
from tinkerformer.learning.learned_model import learned_model
from tinkerformer.learning.plan import TrainingPlan
from tinkerformer.learning.training_run import TrainingRun
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.text import answer, text_of, with_text, with_translation
from tinkerformer.model.scenario.model_names import BLANKS, NAMES, NEXT_WORD
from tinkerformer.session.session_json import SavedSession, from_json, to_json
from tinkerformer.session.state import AppState

from transformer_math.data.phrases import french_texts

EACH = pytest.mark.parametrize("name", [NEXT_WORD, BLANKS])


def shown(view: TranslateView) -> dict[str, str]:
    return {field["name"]: field.get("value", "") for field in view.form.fields}


@EACH
def test_a_model_of_one_stack_is_listed_and_opens_with_its_first_text(name: str) -> None:
    assert name in NAMES
    assert name in {entry.name for entry in catalog.entries()}
    scenario = catalog.first(name)
    assert not scenario.can_write
    assert scenario.config.kind == ("decoder-only" if name == NEXT_WORD else "encoder-only")
    assert text_of(scenario) == catalog.first(name).data.example_texts[0]


@EACH
def test_the_picture_has_one_stack_and_no_empty_half(name: str) -> None:
    scenario = catalog.first(name)
    found = picture.manifest(scenario, ForwardPassRunner().trace(scenario), 1)["whole"]
    (lanes,) = found["stacks"]
    assert lanes["stack"] == ("decoder" if name == NEXT_WORD else "encoder")
    assert {part["stack"] for part in found["parts"]} == {lanes["stack"]}
    assert not any(part["kind"] == "cross" for part in found["parts"])
    words = lanes["right"]
    if name == BLANKS:
        assert words == [None, None, "souris", None, None, None, None]
        assert found["parts"][-1]["title"] == "word"
    else:
        assert words == ["the", "black", "cat", "sat", "on"]
    allowed = lanes["allowed"]
    for lane, (word, equal) in enumerate(zip(words, allowed, strict=True)):
        assert (word in equal) == (word is not None), lane
    if name == NEXT_WORD:
        assert allowed[0] == ["the", "a"]  # a phrase begins with one of these words
        assert {"cat", "dog", "mouse"} <= set(allowed[2])
        assert "black" not in allowed[2]
    phrases = catalog.first("phrases")
    of_two = picture.manifest(phrases, ForwardPassRunner().trace(phrases), 1)["whole"]["stacks"]
    assert all(not lanes["allowed"] for lanes in of_two)


def test_only_the_blank_is_predicted_and_the_bars_show_it() -> None:
    state = AppState(catalog.first(BLANKS))
    scenario = state.scenario
    assert scenario.blank == 2
    assert list(scenario.asked) == [2]
    loss = state.trace["output.token_loss"].value
    assert np.flatnonzero(loss).tolist() == [2]
    assert PredictionView(state).prediction.value == 2
    lists = {entry["name"]: entry for entry in TokensView(state).tokens.lists}
    assert lists["source"]["choice"]["label"] == "belongs in the blank"
    assert lists["source"]["choice"]["value"] == "souris"
    assert lists["target"]["hidden"]
    assert lists["target"]["choice"] is None


def test_a_model_that_fills_in_blanks_opens_with_the_row_of_its_blank() -> None:
    first = catalog.first(BLANKS)
    assert first.source[first.blank] == "<mask>"
    for scenario in (first, with_text(first, "le <mask> noir dort")):
        trace = ForwardPassRunner().trace(scenario)
        assert opening_word(scenario, trace) == ("encoder", scenario.blank)


def test_if_the_blank_is_filled_the_right_words_are_the_words_of_the_text() -> None:
    scenario = catalog.first(BLANKS).with_tokens("source", ["la", "petite", "souris", "dort"])
    assert scenario.blank is None
    assert scenario.label_tokens == scenario.source


@pytest.mark.parametrize(
    ("name", "text", "right"),
    [
        (NEXT_WORD, "the black", {"cat", "dog", "rabbit", "mouse", "hen"}),
        (NEXT_WORD, "a cat runs in the box", {"<eos>"}),
        (BLANKS, "<mask> souris dort sur le lit", {"la", "une"}),
        (BLANKS, "le chat est <mask> sur le lit", {"assis"}),
    ],
)
def test_a_new_text_has_its_own_right_word(name: str, text: str, right: set[str]) -> None:
    scenario = with_text(catalog.first(name), text)
    assert set(scenario.data.right_words(text.split())) == right
    assert scenario.next_token in right
    kept = with_text(scenario.with_expected(max(right)), text)
    assert kept.expected == max(right)


@EACH
def test_a_typed_text_is_answered_and_the_answer_can_become_the_text(name: str) -> None:
    state = AppState(catalog.first(name))
    view = TranslateView(state)
    text = "the big dog" if name == NEXT_WORD else "une <mask> poule court dans la <mask>"
    view.form.value = {"text": text}
    assert text_of(state.scenario) == text
    found = shown(view)
    assert state.scenario.data.accepts(found["translation"])
    assert found["verdict"] == "Right: it is one of the phrases."
    if name == NEXT_WORD:
        assert found["translation"].startswith(text + " ")
    else:
        assert found["translation"] in french_texts()
    view._on_press("target")
    assert text_of(state.scenario) == found["translation"]
    before = state.scenario
    view._on_press("random")
    assert state.scenario != before


@EACH
def test_a_wrong_answer_is_called_wrong(name: str) -> None:
    scenario = catalog.first(name).with_setting("seed", 10)  # random weights
    assert scenario.weights is None
    view = TranslateView(AppState(scenario))
    assert shown(view)["verdict"].startswith("Wrong: no phrase of the data is like this.")


@EACH
def test_a_model_of_one_stack_is_trained_on_its_own_data(name: str) -> None:
    scenario = catalog.first(name).with_setting("seed", 3)
    run = TrainingRun(TrainingPlan.of(scenario))
    run.advance(until=25, seconds=60)
    losses = run.metrics.loss
    assert np.mean(losses[-5:]) < np.mean(losses[:5])
    assert run.plan.recipe.smoothing == 0
    pairs = scenario.data.pairs()
    rows = examples(learned_model(catalog.first(name)), pairs)
    assert all(row.written == row.right for row in rows)
    assert any(row.written != row.right for row in examples(run.trainer.model, pairs))


def test_a_task_that_does_not_fit_the_stacks_is_refused_in_one_sentence() -> None:
    with pytest.raises(ValueError, match="decoder alone: set the encoder layers to 0"):
        TrainingPlan.of(catalog.first(NEXT_WORD).with_setting("encoder_layers", 1))
    with pytest.raises(ValueError, match="encoder alone: set the decoder layers to 0"):
        TrainingPlan.of(catalog.first(BLANKS).with_setting("decoder_layers", 1))
    with pytest.raises(ValueError, match="writes no text: it fills in blanks"):
        decoding_task(catalog.first(BLANKS), ForwardPassRunner(), DecodingSettings())


@EACH
def test_a_session_with_a_model_of_one_stack_is_saved_and_opened(name: str) -> None:
    scenario = with_text(catalog.first(name), catalog.first(name).data.example_texts[3])
    found = answer(scenario, ForwardPassRunner().model(scenario))
    for each in (scenario, with_translation(scenario, found), scenario.with_setting("heads", 4)):
        assert from_json(to_json(SavedSession(each))).scenario == each


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        (NEXT_WORD, {"source": "the", "target": "a cat"}, "reads one text: give it as source or"),
        (BLANKS, {"target": "le chat"}, "This model has no decoder and no target"),
    ],
)
def test_a_text_for_a_stack_that_the_model_lacks_is_refused(name, given, said):
    with pytest.raises(ValueError, match=said):
        tf.show(name, **given)
    page = tf.show(name)
    before = page.scenario
    with pytest.raises(ValueError, match=said):
        page.param.update(**given)
    assert page.scenario == before
