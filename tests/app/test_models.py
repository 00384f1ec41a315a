import dataclasses
import json
import re

import numpy as np
import pytest
from tinkerformer.explain.labels import axis_labels
from tinkerformer.explain.opening_row import opening_word
from tinkerformer.features.models.view import ModelsView
from tinkerformer.features.settings.view import SettingsView
from tinkerformer.features.tokens.view import TokensView
from tinkerformer.features.translate.view import TranslateView
from tinkerformer.files import catalog, model_file
from tinkerformer.files.open_model import opened
from tinkerformer.learning import TrainingPlan
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.text import (
    is_dates,
    text_of,
    translation,
    with_text,
    with_translation,
)
from tinkerformer.model.scenario.model_names import NAMES
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session import session_json as scenario_json
from tinkerformer.session.session_json import SavedSession
from tinkerformer.session.state import AppState

from tests.app.cells import details
from tests.app.trained import VOCABULARY, dates_file, torch_state
from tests.math.stored import load, load_json
from transformer_math.checkpoints import safetensors
from transformer_math.checkpoints.state import Wanted
from transformer_math.data import dates
from transformer_math.data.tokenizer import DATES


@pytest.fixture
def trained(monkeypatch):
    """The date translator, with random weights."""
    installed = catalog.asset
    monkeypatch.setattr(
        catalog,
        "asset",
        lambda name: dates_file() if name == "dates.safetensors" else installed(name),
    )
    catalog.first.cache_clear()
    yield catalog.first("dates")
    catalog.first.cache_clear()


def test_at_an_earlier_step_of_its_training_a_model_is_not_called_trained():
    state = AppState(catalog.first("phrases"))
    models = ModelsView(state).models
    state.change(state.scenario.trained(state.scenario.weights, 84))
    about = {entry["name"]: entry["about"] for entry in models.models}
    assert about["phrases"] == "At step 84 of 1,000 of its training."
    assert about["dates"].startswith("Trained to ")
    line = state.view_model.guide.line
    assert line.startswith("A Transformer at step 84 of 1,000 of its training. You can ")


def probabilities(scenario):
    return ForwardPassRunner().trace(scenario)["output.probabilities"].value


# -- a fixed vocabulary --------------------------------------------------------------------------


def test_the_softmax_covers_the_whole_vocabulary_in_its_order(trained):
    assert trained.source_vocabulary == trained.target_vocabulary == DATES.tokens
    assert probabilities(trained).shape == (len(trained.target), 68)
    assert axis_labels(trained.axis_tokens, "output.logits", "vocab", 68)[:2] == ["0", "1"]
    assert axis_labels(trained.axis_tokens, "output.logits", "vocab", 68)[64] == "␣"
    table = ForwardPassRunner().trace(trained)["source.W_e"].value
    np.testing.assert_array_equal(table, catalog.first("dates").weights.arrays["source.W_e"])


def test_the_page_s_logits_equal_those_of_transformer_math(trained):
    model = ForwardPassRunner().model(trained)
    source, target = DATES.encode("1845-01-05", 12), DATES.encode("January")[:-1]
    scenario = trained.with_tokens("target", ["<sos>", *"January"])
    np.testing.assert_allclose(
        ForwardPassRunner().trace(scenario)["output.logits"].value,
        model.logits(source, target),
        rtol=1e-5,
    )


def test_padding_is_masked(trained):
    short = with_text(trained, "18")
    assert short.source == ("<sos>", "1", "8", "<eos>", *["<pad>"] * 8)
    seen = ForwardPassRunner().trace(short)["encoder.0.self_attn.weights"].value
    assert not seen[:, :, 4:].any()
    assert seen[:, :, :4].all()


@pytest.mark.parametrize(
    ("tokens", "sentence"),
    [
        (["<sos>", "1", "/"], "The token at position 2 is “/”.*0–9, A–Z, a–z.*the space.*“<pad>”"),
        (["12"], "“12”"),
        ([""], "an empty one"),
        ([], "1 to 64"),
        (["1"] * 65, "not 65"),
    ],
)
def test_unknown_tokens_are_refused_in_a_sentence(trained, tokens, sentence):
    with pytest.raises(ValueError, match=sentence) as raised:
        trained.with_tokens("target", tokens)
    assert str(raised.value).endswith(".")


def test_choosing_another_model_keeps_nothing_of_the_one_before(trained):
    assert catalog.chosen("sandbox", trained) == Scenario()
    assert catalog.first("dates").with_value("source.W_e", (0, 0), 1).weights is trained.weights


# -- fixed sizes ---------------------------------------------------------------------------------


SIZES = [
    ("d_model", "16"),
    ("encoder_layers", "2"),
    ("d_ff", "9"),
    ("final_norm", True),
    ("attention_bias", True),
    ("tie_output", True),
    ("positions", "learned"),
    ("seed", "4"),
]
MORE_SIZES = [
    *(("heads", "2"), ("decoder_layers", "0"), ("d_k", "3")),
    *(("feed_forward_bias", False), ("output_bias", True)),
]


@pytest.mark.parametrize(("name", "raw"), [*SIZES, *MORE_SIZES])
def test_sizes_of_a_model_from_a_file_are_locked(name, raw):
    """Without known training data, other sizes would need other weights."""
    opened_file = opened({"a.safetensors": dates_file()}, Scenario())
    with pytest.raises(ValueError, match="choose Sandbox to change sizes"):
        opened_file.with_setting(name, raw)


@pytest.mark.parametrize(("name", "raw"), SIZES)
def test_a_translator_of_a_different_size_begins_with_random_weights(trained, name, raw):
    """Nothing is locked if the model can be trained again."""
    other = trained.with_setting(name, raw)
    assert (other.weights, other.steps_taken) == (None, 0)
    assert TrainingPlan.of(other).config == other.learned_config
    assert other.own_vocabulary == trained.own_vocabulary
    assert np.isfinite(probabilities(other)).all()


def test_other_heads_use_the_same_numbers_if_the_shapes_stay(trained):
    """Fewer heads need weights of other shapes."""
    assert trained.with_setting("heads", "2").weights is None
    assert trained.with_setting("heads", "4").weights is trained.weights


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("activation", "tanh"),
        ("norm", "pre"),
        ("positions", "none"),
        ("positions", "sinusoidal_halves"),
        ("embedding_scale", False),
        ("attention_scale", "none"),
    ],
)
def test_settings_that_need_no_other_weights_can_change(trained, name, raw):
    edited = trained.with_value("source.W_e", (0, 0), 1)
    changed = edited.with_setting(name, raw)
    assert changed.weights is trained.weights
    assert changed.edits == edited.edits
    assert (probabilities(changed) != probabilities(edited)).any()


def test_locked_settings_are_disabled_and_explained(trained):
    state = AppState(opened({"a.safetensors": dates_file()}, Scenario()))
    fields = {field["name"]: field for field in SettingsView(state).form.fields}
    assert "trained model; choose Sandbox" in fields["why"]["value"]
    locked = {name for name, field in fields.items() if field.get("disabled")}
    assert {"d_model", "heads", "d_ff", "tie_output", "seed"} <= locked
    assert not locked & {"activation", "norm", "positions", "embedding_scale", "dropout.embedding"}
    assert "learned" not in [value for value, _ in fields["positions"]["options"]]
    for scenario in (Scenario(), trained, catalog.first("phrases")):
        view = SettingsView(AppState(scenario))
        assert not any(field.get("disabled") for field in view.form.fields)


# -- reload, links, undo -------------------------------------------------------------------------


def test_a_link_names_the_model_and_what_was_changed(trained):
    scenario = trained.with_value("source.W_e", (0, 0), 1).with_setting("activation", "gelu")
    data = scenario_json.to_dict(SavedSession(scenario, None, trained))
    assert data["model"] == "dates"
    assert set(data) == {"version", "model", "settings", "edits", "baseline"}
    assert data["baseline"] == {"model": "dates"}
    back = scenario_json.from_json(scenario_json.to_json(SavedSession(scenario, None, trained)))
    assert back.scenario == scenario
    assert back.baseline == trained
    assert probabilities(back.scenario).tobytes() == probabilities(scenario).tobytes()


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("sandbox", "dates")])
def test_every_model_can_be_restored_by_its_name(name):
    scenario = catalog.first(name).with_setting("activation", "tanh")
    assert (
        scenario_json.from_json(scenario_json.to_json(SavedSession(scenario))).scenario == scenario
    )


def test_a_model_that_is_chosen_again_is_as_the_user_left_it(trained):
    state = AppState()
    view = ModelsView(state)
    state.change(Scenario().with_tokens("source", ["mine"]).with_view("palette", "safe"))
    view.models.value = "dates"
    assert state.scenario.view.palette == "safe"
    state.change(state.scenario.with_view("palette", "blue-red"))
    view.models.value = "sandbox"
    assert state.scenario.source == ("mine",)
    assert state.scenario.view.palette == "blue-red"


def test_a_baseline_of_another_model_is_removed(trained):
    state = AppState()
    view = ModelsView(state)
    state.baseline = state.scenario
    state.change(state.scenario.with_view("plane", "change"))
    view.models.value = "dates"
    assert state.baseline is None
    assert state.notice.startswith("The comparison has ended")
    assert state.scenario.view.plane == "value"
    assert state.scenario.model == "dates"


def test_the_menu_lists_every_model_once():
    assert [entry.name for entry in catalog.entries()] == list(NAMES)


def test_the_lecture_s_example_has_the_numbers_of_the_document():
    """Position 2 of four dimensions, with the mistake of document 003 corrected."""
    scenario = catalog.first("document-lecture")
    trace = ForwardPassRunner().trace(scenario)
    at_2 = trace["source.positions"].value[2]
    np.testing.assert_allclose(at_2, [0.9093, -0.4161, 0.0200, 0.9998], atol=5e-5)
    assert scenario.source[2] == "e3"
    assert len(scenario.source) == 5
    np.testing.assert_array_equal(trace["source.sum"].value[2], trace["source.W_e"].value[2] + at_2)
    scale = details(ForwardPassRunner(), scenario, "encoder.0.self_attn.head.0.scores", 0, 0)[
        "arithmetic"
    ]
    assert "√4" in " ".join(scale)  # the √D of the document's formula


def test_a_missing_date_translator_is_reported(monkeypatch):
    catalog.first.cache_clear()
    file, *rest = catalog._TRAINED["dates"]
    monkeypatch.setitem(catalog._TRAINED, "dates", (f"no-{file}", *rest))
    with pytest.raises(ValueError, match="not installed"):
        catalog.first("dates")
    catalog.first.cache_clear()


# -- translating a date --------------------------------------------------------------------------


def test_the_target_is_written_by_greedy_decoding(trained):
    scenario = with_text(trained, "1996-09-08")
    model = ForwardPassRunner().model(scenario)
    answer = translation(scenario, model)
    ids = [DATES.start]
    while len(ids) < dates.TARGET_LENGTH and ids[-1] != DATES.end:
        ids.append(int(model.logits(DATES.encode("1996-09-08", 12), ids)[-1].argmax()))
    written = [DATES.tokens[i] for i in ids[1:]]
    assert answer.finished == (written[-1] == "<eos>")
    assert list(answer.tokens) == [token for token in written if token != "<eos>"]
    shown = with_translation(scenario, answer)
    greedy = probabilities(shown).argmax(-1)
    assert [DATES.tokens[i] for i in greedy][: len(answer.tokens)] == list(answer.tokens)


def test_edited_weights_change_the_translation(trained):
    model = ForwardPassRunner().model(trained)
    before = translation(trained, model)
    column = DATES.tokens.index("Z")
    edited = trained
    for row in range(32):
        edited = edited.with_value("output.W_out", (row, column), 900 * (-1) ** row)
    by_hand = trained.with_value("encoder.0.self_attn.scores", (0, 0, 0), 900)
    assert translation(edited, model) != before
    assert translation(by_hand, model) == before
    assert not np.isin(900, model.parameters["output.W_out"])


def text_view(scenario):
    state = AppState(scenario)
    view = TranslateView(state)
    return state, view, lambda: {field["name"]: field for field in view.form.fields}


def send(view, kind, name, value=None):
    """Change a field like the browser, and return the sentence of the answer."""
    view.form.receive({"type": kind, "name": name, "value": value})
    return view.form.errors.get(name, "")


def test_the_date_field_shows_the_source_and_changes_it(trained):
    state, view, fields = text_view(Scenario())
    assert not view.form.visible
    state.change(trained)
    assert view.form.visible
    assert fields()["text"]["value"] == fields()["example"]["value"] == "1845-01-05"
    assert send(view, "change", "text", "1676-11-30") == ""
    assert state.scenario.source == ("<sos>", *"1676-11-30", "<eos>")
    assert fields()["text"]["value"] == "1676-11-30"
    assert "it should be November 30, 1676" in fields()["verdict"]["value"]
    assert fields()["target"]["hidden"]
    send(view, "change", "random")
    assert dates.translate(text_of(state.scenario))
    assert fields()["translation"]["hidden"]  # the translation is the target
    state.change(state.scenario.with_tokens("target", ["<sos>"]))
    assert not fields()["target"]["hidden"]
    send(view, "change", "target")
    assert fields()["target"]["hidden"]
    state.change(Scenario())
    assert not view.form.visible


def test_a_character_without_a_token_is_named_and_the_text_stays(trained):
    state, view, fields = text_view(trained)
    sentence = send(view, "change", "text", "1845/01/05")
    assert "The character '/' has no token" in sentence
    assert state.scenario == trained
    assert "at most 10" in send(view, "change", "text", "1845-01-055")
    assert send(view, "change", "text", "1845-02-31") == ""
    assert "February 1845" in fields()["verdict"]["value"]


def test_a_date_is_read_when_it_is_complete_or_entered(trained):
    state, view, fields = text_view(trained)
    assert send(view, "typing", "text", "1676-11-3") == ""
    assert state.scenario == trained
    assert "The character '/'" in send(view, "typing", "text", "1676/")
    send(view, "typing", "text", "1676-11-30")
    assert text_of(state.scenario) == "1676-11-30"
    send(view, "change", "text", "1676")
    assert text_of(state.scenario) == "1676"
    assert "There is no right answer to compare with" in fields()["verdict"]["value"]


def test_right_and_wrong_outputs_are_marked(trained, monkeypatch):
    _, _, fields = text_view(trained)
    assert fields()["translation"]["tone"] == "bad"
    monkeypatch.setattr(dates, "translate", lambda text: translation_text(trained))
    _, _, fields = text_view(trained)
    finished = translation(trained, ForwardPassRunner().model(trained)).finished
    assert fields()["translation"]["tone"] == ("good" if finished else "bad")


def translation_text(scenario):
    return translation(scenario, ForwardPassRunner().model(scenario)).text


def test_dates_are_shown_as_characters_without_a_choice_of_the_right_word(trained):
    view = TokensView(AppState(trained))
    lists = {entry["name"]: entry for entry in [*view.tokens.lists, *view.answers.lists]}
    assert lists["source"]["unit"] == "character"
    assert tuple(lists["source"]["known"]) == DATES.tokens
    assert lists["answers"]["hidden"]
    assert not TokensView(AppState()).tokens.lists[0]["known"]


# -- the tables of the document ------------------------------------------------------------------


def printed(values):
    return [[f"{float(x):.4f}".replace("-0.0000", "0.0000") for x in row] for row in values]


def test_the_tables_of_the_document_agree_to_the_last_printed_digit():
    document = load_json("document_001")
    table = ForwardPassRunner().trace(catalog.first("document-table"))
    rows = np.array(document["embedding"]["rows"])
    assert printed(table["source.embedding"].value) == printed(rows)
    assert printed(table["source.W_e"].value) == printed(rows)
    trace = ForwardPassRunner().trace(catalog.first("document-positions"))
    before, after = (document[f"{when}_positions"]["rows"] for when in ("before", "after"))
    assert printed(trace["source.embedding"].value) == printed(np.array(before))
    assert printed(trace["source.sum"].value) == printed(np.array(after))


# -- the paper's sizes ---------------------------------------------------------------------------


def test_the_model_of_the_paper_has_its_sizes_and_states_the_number_of_parameters():
    scenario = catalog.first("paper-base")
    config = scenario.config
    assert (config.d_model, config.heads, config.feed_forward_width) == (512, 8, 2048)
    assert (config.encoder_layers, config.decoder_layers) == (6, 6)
    assert config.share_embeddings
    assert config.tie_output
    own = config.parameter_count()
    assert own == 44_101_632 + 13 * 513
    count = next(
        f["value"] for f in SettingsView(AppState(scenario)).form.fields if f["name"] == "count"
    )
    assert f"{own:,}" in count
    assert "63," in count
    with pytest.raises(ValueError, match="paper's"):
        scenario.with_setting("d_model", "64")


def test_shared_embeddings_apply_to_both_sides():
    scenario = dataclasses.replace(
        Scenario(), locked=dataclasses.replace(catalog.first("paper-base").locked)
    )
    scenario = dataclasses.replace(scenario, settings=scenario.settings.replace(tie_output=True))
    trace = ForwardPassRunner().trace(scenario)
    words = scenario.source_vocabulary
    assert scenario.target_vocabulary == words
    assert {*scenario.source, *scenario.target, *scenario.answers} == set(words)
    assert trace["source.W_e"].shape == (len(words), 8)
    assert "target.W_e" not in trace
    assert trace["output.probabilities"].shape == (3, len(words))


# -- files ---------------------------------------------------------------------------------------


def test_a_saved_trained_model_opens_with_the_same_numbers(trained):
    edited = trained.with_value("source.W_e", (1, 2), 3.5)
    data = model_file.save(edited, ForwardPassRunner().trace(edited))
    back = opened({"mine.safetensors": data}, Scenario())
    assert back.model == "file"
    assert back.own_vocabulary == VOCABULARY
    assert is_dates(back)
    assert (back.source, back.target) == (edited.source, edited.target)
    assert probabilities(back).tobytes() == probabilities(edited).tobytes()
    with pytest.raises(ValueError, match="choose Sandbox"):
        back.with_setting("d_model", "16")


def test_models_larger_than_the_settings_allow_can_be_shown():
    back = opened({"a.safetensors": dates_file(d_model=80, heads=10)}, Scenario())
    assert back.settings.d_model == 80
    assert probabilities(back).shape[1] == 68
    assert scenario_json.to_dict(SavedSession(back))["model"] == "file"
    assert "baseline" not in scenario_json.to_dict(SavedSession(Scenario(), None, back))


def test_a_reloaded_tab_whose_model_was_a_file_names_the_file():
    back = opened({"a.safetensors": dates_file()}, Scenario())
    said = (
        "The numbers of its model are only in the file a.safetensors, which this tab could not "
        "keep. Open that file again."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        scenario_json.from_json(scenario_json.to_json(SavedSession(back), with_weights=True))


def test_after_a_trained_model_the_sandbox_has_its_own_settings_again(trained):
    plain = model_file.save(Scenario(), ForwardPassRunner().trace(Scenario()))
    back = opened({"a.safetensors": plain}, trained)
    assert (back.model, back.own_vocabulary, back.locked) == ("sandbox", None, Scenario().locked)
    assert probabilities(back).tobytes() == probabilities(Scenario()).tobytes()


TORCH_FILES = load("torch_files")


def test_a_torch_checkpoint_opens_with_the_same_weights_as_a_safetensors_file():
    saved = TORCH_FILES.arrays["file/transformer"].tobytes()
    same = safetensors.save(TORCH_FILES.under("state/transformer"))
    with pytest.raises(Wanted) as wanted:
        opened({"t.pt": saved}, Scenario())
    assert wanted.value.choices == [1, 2, 7, 14]
    back = opened({"t.pt": saved}, Scenario(), 2)
    expected = opened({"t.safetensors": same}, Scenario(), 2)
    assert back.weights.name == "t.pt"
    assert probabilities(back).tobytes() == probabilities(expected).tobytes()


def with_first_number(value):
    """Return the checkpoint's file with one changed number."""
    saved = TORCH_FILES.arrays["file/transformer"].tobytes()
    number = TORCH_FILES.arrays["state/transformer/generator.bias"][0].tobytes()
    assert saved.count(number) == 1
    return saved.replace(number, np.float32(value).tobytes())


def metadata(**changes):
    arrays, stored = safetensors.load(dates_file())
    return safetensors.save(arrays, {**stored, **changes})


def config(**changes):
    _, stored = safetensors.load(dates_file())
    return json.dumps({**json.loads(stored["config"]), **changes})


LAYER = "encoder.layers.0.self_attn.in_proj_weight"

REFUSED = {
    "closed": (lambda: {"a": metadata(closed="[]")}, "closed cannot be read"),
    "unit": (lambda: {"a": metadata(closed='{"unit": "sentence"}')}, "closed cannot be read"),
    "field": (lambda: {"a": metadata(closed='{"x": "y"}')}, "closed cannot be read"),
    "config": (lambda: {"a": metadata(config=config(norm="no"))}, "config cannot be read"),
    "unknown": (lambda: {"a": metadata(config=config(x=1))}, "config cannot be read"),
    "dropout": (lambda: {"a": metadata(config=config(dropout=3))}, "config cannot be read"),
    "large": (lambda: {"a": metadata(config=config(d_model=10**9))}, "d_model is more than"),
    "odd": (lambda: {"a": metadata(config=config(d_model="a"))}, "d_model is more than"),
    "shape": (lambda: {"a": metadata(config=config(d_model=16))}, "weights do not fit"),
    "words": (lambda: {"a": metadata(source_vocabulary='["a"]')}, "weights do not fit"),
    "token": (lambda: {"a": metadata(source='["/"]')}, "“/”"),
    "nothing": (dict, "No file"),
    "folder": (lambda: {"config.json": b"{}"}, "no weights among these files"),
    "nan": (lambda: {"a.pt": with_first_number(np.nan)}, "output.b_out has 1 values that are NaN"),
    "infinite": (lambda: {"a.pt": with_first_number(np.inf)}, "1 values that are NaN or infinite"),
    "names": (lambda: {"a.pt": TORCH_FILES.arrays["file/views"].tobytes()}, "no family known"),
    "vector": (
        lambda: {"a": safetensors.save({**torch_state(), LAYER: np.ones(3, np.float32)})},
        r"in_proj_weight has the shape \(3,\), not \(36, 12\)",
    ),
    "two": (lambda: {"a": dates_file(), "b": dates_file()}, "several models: a, b; open one"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_files_that_do_not_fit_are_reported_in_one_sentence(name):
    make, sentence = REFUSED[name]
    heads = 2 if name in ("nan", "infinite", "vector") else None
    with pytest.raises(ValueError, match=sentence) as raised:
        opened(make(), Scenario(), heads)
    assert str(raised.value).endswith(".")
    assert "\n" not in str(raised.value)


def test_a_model_from_a_file_is_listed_and_can_be_reopened():
    state = AppState()
    view = ModelsView(state)

    def opened(files):
        later = view._open(files, None)
        return later.take(later.make())

    assert opened({"mine.safetensors": dates_file()}) is None
    assert view.models.value == "file"
    assert view.models.models[-1]["label"] == "mine.safetensors"
    view.models.value = "sandbox"
    view.models.value = "file"
    assert state.scenario.model == "file"
    assert opened({"t.safetensors": safetensors.save(torch_state())}) == [1, 2, 3, 4, 6, 12]
    assert state.scenario.weights is not None
    assert state.scenario.weights.name == "mine.safetensors"


def test_another_model_opens_with_its_most_telling_word_in_focus():
    state = AppState()
    view = ModelsView(state)
    view.models.value = "dates"
    word = opening_word(state.scenario, state.trace)
    assert word is not None
    assert state.location.followed == word
    state.location = state.location.at("formulas")
    view.models.value = "next-word"
    assert state.location.followed is None  # where the view has no picture
