"""Models that were trained on the page, as plain data: restored with the same bits."""

import base64
import dataclasses
import gc
import json
import weakref

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tinkerformer.files import catalog, packed_weights
from tinkerformer.files.open_model import opened
from tinkerformer.learning import TrainingPlan, TrainingRun
from tinkerformer.learning.curves import curves
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.scenario import limits
from tinkerformer.model.scenario.moments import Moments
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.model.scenario.training_checksum import SUMS
from tinkerformer.model.scenario.training_data import TrainingData
from tinkerformer.model.scenario.weights import Weights
from tinkerformer.session.link import decode, encode, unpacked
from tinkerformer.session.restore import read, restore
from tinkerformer.session.scenario_json import MAX_STEPS
from tinkerformer.session.session_json import (
    SavedSession,
    from_dict,
    from_json,
    to_dict,
    to_json,
)
from tinkerformer.session.state import AppState
from tinkerformer.view_model.page_location import MAX_PART_LENGTH, MAX_UNFOLDED

from tests.app.learner import TEXT, WORDS, small
from tests.app.test_recipe_settings import recipes
from tests.app.test_session_json import CHOICES, JSON
from tests.app.test_silence import HEAD, OUT
from tests.app.trained import dates_file


def chosen(scenario: Scenario) -> Scenario:
    """Return a scenario without the target that its model writes itself."""
    return scenario.with_written(()) if scenario.writes_itself else scenario


SLOWLY = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
OPENS = {
    "phrases": lambda: catalog.first("phrases"),
    "dates": lambda: catalog.first("dates"),
    "characters": lambda: catalog.of_pairs(TrainingData("own", TEXT)),
    "words": lambda: catalog.of_pairs(TrainingData("own", WORDS, "word")),
}
SETTINGS = [*CHOICES, ("causal_mask", False), ("smoothing_form", "torch")]
# Changes of a trained model that keep its weights.
CHANGES = [("positions", "none"), ("causal_mask", False), ("label_smoothing", "0.2")]


def trained_by_hand(scenario: Scenario, steps: int) -> Scenario:
    """Return a scenario with other numbers in every parameter, as after training."""
    own, generator = scenario.own_vocabulary, np.random.default_rng(steps)
    arrays = {
        path: generator.normal(size=shape).astype(np.float32)
        for path, shape in scenario.learned_config.parameter_shapes().items()
    }
    return scenario.trained(Weights(arrays, own.source, own.target, "trained here"), steps)


@st.composite
def learners(draw):
    """Draw a model that can learn: random, trained or edited, of any size and recipe."""
    scenario = OPENS[draw(st.sampled_from(list(OPENS)))]()
    for name, raw in draw(st.lists(st.sampled_from(SETTINGS), max_size=5)):
        scenario = scenario.with_setting(name, raw)
    if draw(st.booleans()):
        scenario = scenario.with_recipe(draw(recipes()))
    if not scenario.vocabulary.closed and draw(st.booleans()):
        words = st.sampled_from(["the", "red", "zebra", "x y", "<pad>"])
        scenario = scenario.with_tokens("source", draw(st.lists(words, min_size=1, max_size=4)))
    if draw(st.booleans()):
        scenario = scenario.with_tokens("target", scenario.target_vocabulary[:3])
        scenario = scenario.with_writing(draw(st.booleans()) and scenario.can_write)
    what = draw(st.sampled_from(["as it is", "random", "trained", "to be trained"]))
    steps = draw(st.integers(0, MAX_STEPS))
    if what == "random":
        scenario = scenario.trained(None, 0)
    elif what == "trained":
        scenario = trained_by_hand(scenario, steps)
    elif what == "to be trained":
        scenario = scenario.trained(None, steps)
    scenario = scenario.with_training(draw(st.booleans()))
    if draw(st.booleans()):
        scenario = scenario.with_setting(*draw(st.sampled_from(CHANGES)))
    shapes = scenario.config.parameter_shapes()
    for _ in range(draw(st.integers(0, 4))):
        path = draw(st.sampled_from(list(shapes)))
        index = tuple(draw(st.integers(0, n - 1)) for n in shapes[path])
        scenario = scenario.with_value(path, index, draw(st.integers(-4000, 4000)) / 4)
    return scenario


@SLOWLY
@given(scenario=learners())
def test_a_scenario_with_its_weights_is_restored_bit_for_bit(scenario):
    written = to_json(SavedSession(scenario), with_weights=True)
    back = from_json(written)
    assert chosen(back.scenario) == chosen(scenario)
    assert to_json(back, with_weights=True) == written
    if scenario.weights is not None:
        arrays = back.scenario.weights.arrays
        assert {path: x.tobytes() for path, x in arrays.items()} == {
            path: x.tobytes() for path, x in scenario.weights.arrays.items()
        }
        assert all(x.dtype == np.float32 for x in arrays.values())


@SLOWLY
@given(scenario=learners())
def test_a_link_has_the_weights_if_they_fit_and_otherwise_the_training(scenario):
    link = encode(SavedSession(scenario))
    assert "weights" not in to_dict(SavedSession(scenario))
    back = decode(link).scenario
    opens = OPENS["phrases"]() if scenario.model == "phrases" else OPENS["dates"]()
    opens_trained = scenario.model in ("phrases", "dates") and scenario.weights == opens.weights
    is_whole = opens_trained or '"weights"' in unpacked(link)
    repeated = scenario.as_trained.trained(None, scenario.steps_taken)
    expected = scenario if is_whole else repeated
    assert chosen(back) == chosen(expected)
    assert chosen(decode(encode(SavedSession(back))).scenario) == chosen(back)


@pytest.mark.parametrize("name", OPENS)
def test_a_model_as_it_opens_is_stored_as_its_name_or_its_pairs(name):
    data = to_dict(SavedSession(OPENS[name]()), with_weights=True)
    if name in ("phrases", "dates"):
        assert data == {"version": 1, "model": name}
    else:
        assert set(data) == {"version", "model", "pairs", "source"}
        assert (
            data["pairs"]
            == {
                "characters": {"text": TEXT, "unit": "character"},
                "words": {"text": WORDS, "unit": "word"},
            }[name]
        )


def test_a_baseline_of_own_pairs_is_restored():
    scenario = small()
    saved = SavedSession(scenario.with_value("source.W_e", (0, 0), 2), None, scenario)
    assert from_json(to_json(saved)).baseline == scenario


def kept_of_a_run() -> dict:
    """Return the data that a tab stores of a training run after three steps."""
    run = TrainingRun(TrainingPlan.of(small()))
    run.advance(until=3, seconds=1e9)
    scenario = small().trained(run.weights(), run.step)
    saved = SavedSession(
        scenario, moments=Moments(scenario, *run.trainer.means()), curves=curves(run)
    )
    assert "moments" not in to_dict(saved)  # of a shared link
    return to_dict(saved, with_weights=True)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("AAAA", "not as many"),
        (7, "not as many"),
        ("nan", "not all of them are finite"),
        ("negative", "a mean of squares is below 0"),
    ],
)
def test_impossible_means_of_the_optimizer_are_refused_and_all_else_is_restored(wrong, why):
    data = kept_of_a_run()
    numbers = np.frombuffer(base64.b64decode(data["moments"]), "<f4").copy()
    made = {"nan": np.nan, "negative": -1.0}
    if wrong in made:
        numbers[-1] = made[wrong]
        wrong = base64.b64encode(numbers.tobytes()).decode()
    with pytest.raises(ValueError, match=why):
        from_dict({**data, "moments": wrong})
    state = AppState()
    left_out = restore(state, read(json.dumps({**data, "moments": wrong})), lambda: None)
    assert left_out == "the state of the optimizer"
    assert state.moments is None
    assert state.scenario.steps_taken == 3


@pytest.mark.parametrize(
    "wrong",
    [
        {"loss": [1.0]},
        {"step": [1, 1, 2]},
        {"step": [1, 2, 5001]},
        {"norm": [1.0, -1.0, 1.0]},
        {"rate": [1.0, "fast", 1.0]},
        {"right": [[1, 101.0]]},
        {"right": [[1]]},
        {"step": [*range(2001)], "loss": [0.0] * 2001, "rate": [0.0] * 2001, "norm": [0.0] * 2001},
    ],
)
def test_impossible_curves_are_refused_and_all_else_is_restored(wrong):
    data = kept_of_a_run()
    assert from_dict(data).curves.step == (1, 2, 3)
    bad = {**data, "curves": {**data["curves"], **wrong}}
    with pytest.raises(ValueError, match="curves"):
        from_dict(bad)
    state = AppState()
    assert restore(state, read(json.dumps(bad)), lambda: None) == "the curves of its training"
    assert state.curves is None
    assert state.scenario.steps_taken == 3


def test_means_of_the_optimizer_need_weights():
    data = kept_of_a_run()
    del data["weights"]
    with pytest.raises(ValueError, match="no weights"):
        from_dict(data)


def test_weights_of_a_large_model_are_not_stored():
    scenario = catalog.first("dates").with_setting("heads", "8").with_setting("d_model", "64")
    scenario = trained_by_hand(scenario.with_setting("encoder_layers", "3"), 5)
    assert scenario.learned_config.parameter_count() > limits.MAX_KEPT_NUMBERS
    data = to_dict(SavedSession(scenario), with_weights=True)
    assert "weights" not in data
    assert from_dict(data).scenario == scenario.trained(None, 5)


def test_weights_that_could_not_be_read_again_are_not_stored():
    """They exceed the largest number of the page, as after training at a much too high rate."""
    scenario = trained_by_hand(small(), 5)
    arrays = {**scenario.weights.arrays, "source.W_e": scenario.weights.arrays["source.W_e"] * 1e4}
    own = scenario.own_vocabulary
    wild = scenario.trained(Weights(arrays, own.source, own.target), 5)
    back = from_json(to_json(SavedSession(wild), with_weights=True))
    assert back.scenario == wild.trained(None, 5)


# -- invalid data ----------------------------------------------------------------------------------


def numbers(count: int, value: float = 0.5) -> str:
    return base64.b64encode(np.full(count, value, "<f4").tobytes()).decode()


COUNT = catalog.first("phrases").learned_config.parameter_count()
PAIRS = {"model": "own-pairs", "pairs": {"text": TEXT, "unit": "character"}}
PHRASES = {"model": "phrases"}
SCENARIO = ("source", "target", "expected", "settings", "view", "training", "mask_seed", "edits")
FIELDS = (*SCENARIO, "selection", "baseline", "attention", "version", "checksum")
INNER = ("text", "unit", "steps", "warmup", "clip", "decoder_layers", "d_model", "dropout")
INNER += ("label_smoothing", "seed", "palette", "source.W_e", "edits")
CHECKSUM = {"step": 5, "sums": [0.0] * SUMS}


def with_choices(**choices):
    """Return weights with the choices of their training; without choices, these are incomplete."""
    complete = {"settings": {}, "recipe": {}, "training": False} if choices else {}
    return {**PHRASES, "weights": numbers(COUNT), "trained_with": {**complete, **choices}}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({**PHRASES, "weights": numbers(COUNT - 1)}, "“weights”.*not as many"),
        ({**PHRASES, "weights": "\ud800"}, "“weights”.*not as many"),
        ({**PHRASES, "weights": [0.5] * COUNT}, "“weights”.*not as many"),
        ({**PHRASES, "weights": numbers(COUNT, np.nan)}, "“weights”.*finite"),
        ({**PHRASES, "weights": numbers(COUNT, np.inf)}, "“weights”.*finite"),
        ({**PHRASES, "weights": numbers(COUNT, 1e4)}, "“weights”.*beyond"),
        ({**PHRASES, "settings": {"d_model": 12}, "weights": numbers(COUNT)}, "“weights”"),
        ({"weights": numbers(COUNT)}, "“weights”.*not trained here"),
        ({"model": "paper-base", "weights": ""}, "“weights”.*not trained here"),
        ({"model": "document-table", "weights": ""}, "“weights”.*not trained here"),
        (with_choices(), "“trained_with”"),
        (with_choices(settings={"d_model": 12}), "“trained_with”.*other sizes"),
        (with_choices(recipe={"steps": 0}), "“trained_with.recipe.steps”.*from 1"),
        (with_choices(training=1), "“trained_with.training”"),
        ({**PHRASES, "trained": -1}, "“trained”.*0 to 5000"),
        ({**PHRASES, "trained": 5001}, "“trained”.*0 to 5000"),
        ({**PHRASES, "trained": True}, "“trained”"),
        ({"trained": 3}, "“trained”.*not trained here"),
        ({"model": "document-table", "trained": 0}, "“trained”.*not trained here"),
        ({**PHRASES, "baseline": {"trained": 3}}, "“baseline.trained”"),
        ({**PHRASES, "trained": 0, "checksum": CHECKSUM}, "no training"),
        ({"checksum": CHECKSUM}, "no training"),
        ({"model": "own-pairs", "pairs": {"text": TEXT}}, "“pairs”"),
        (
            {"model": "own-pairs", "pairs": {"text": TEXT, "unit": "letter"}},
            "“pairs.unit”.*none of character, word",
        ),
        ({"model": "own-pairs", "pairs": {"text": TEXT, "unit": ["word"]}}, "“pairs.unit”"),
        ({"model": "own-pairs", "pairs": {"text": 3, "unit": "word"}}, "“pairs.text”"),
        ({"model": "own-pairs", "pairs": {"text": "", "unit": "word"}}, "“pairs”.*no pairs"),
        ({"model": "own-pairs", "pairs": {"text": "a", "unit": "word"}}, "“pairs”.*[Ll]ine 1"),
        (
            {"model": "own-pairs", "pairs": {"text": "\ud800,a\nb,c", "unit": "word"}},
            "“pairs”.*[Ll]ine 1",
        ),
        ({**PAIRS, "source": ["zebra"]}, "“source”.*does not know"),
        ({**PAIRS, "baseline": {"model": "phrases"}}, "“baseline”.*another model"),
        ({**PHRASES, "recipe": []}, "“recipe”"),
        ({**PHRASES, "recipe": {"steps": 0}}, "“recipe.steps”.*from 1 to 5,000"),
        ({**PHRASES, "recipe": {"steps": 50}}, "“recipe”.*warm-up"),
        ({**PHRASES, "recipe": {"batch": "64"}}, "“recipe.batch”.*pairs in a batch is"),
        ({**PHRASES, "recipe": {"seed": 3}}, "“recipe”.*a field “seed”"),
        ({**PHRASES, "writes_itself": 1}, "“writes_itself”"),
        (
            {**PHRASES, "settings": {"decoder_layers": 0}, "writes_itself": True},
            "“writes_itself”.*a decoder",
        ),
        ({"answers": ["le"], "writes_itself": True}, "“writes_itself”.*an end token"),
        ({**PHRASES, "weights": numbers(COUNT), "more": 1}, "“more”"),
        ({"nonsense": 1}, "“nonsense”"),
        ({"source": "the cat"}, "source"),
        ({"source": ["a"] * 65}, "64"),
        ({"source": ["\ud800"]}, "source"),
        ({"target": ["a" * 25]}, "24"),
        ({"expected": ["a"]}, "expected"),
        ({"expected": "a" * 25}, "24"),
        ({"settings": {"label_smoothing": 0.95}}, "label smoothing"),
        ({"settings": {"d_model": 1000}}, "2 to 64"),
        ({"settings": {"dropout": {"embedding": 2}}}, "dropout.embedding”.*0 to 0.9"),
        ({"settings": {"activation": "sine"}}, "activation"),
        ({"settings": {"encoder_layers": 0, "decoder_layers": 0}}, "settings"),
        ({"view": {"palette": "pink"}}, "colors"),
        ({"training": 1}, "training"),
        ({"mask_seed": -1}, "mask_seed"),
        ({"edits": {"no.such": [[0, 0, 1]]}}, "no.such"),
        ({"edits": {"source.W_e": [["cat", 64, 1]]}}, "edits|8"),
        ({"edits": {"source.W_e": [["cat", 0, 1e9]]}}, "1000"),
        ({"edits": {"source.W_e": [["cat", 0, "1"]]}}, "no number"),
        ({"edits": {"source.W_e": [[0, 0, 1]]}}, "no word"),
        ({"selection": ["x"]}, "selection"),
        ({"baseline": {"source": 1}}, "source"),
        ({"baseline": {"model": "document-table"}}, "baseline.*another model"),
        ({"edits": {"source.W_e": [["\ud800", 0, 1]]}}, "no word"),
        ({"selection": ["\ud800", 0, 0]}, "selection"),
        ({"attention": ["\ud800", 0, 0, 0]}, "attention"),
        ({"attention": [1]}, "attention"),
        ({"place": []}, "place.*group"),
        ({"place": {"view": "nowhere"}}, "view.*nowhere"),
        ({"place": {"view": ["stages"]}}, "view"),
        ({"place": {"window": 1}}, "window"),
        ({"place": {"camera": [0, 0]}}, "camera"),
        ({"place": {"camera": [0, 0, 0]}}, "camera.*0.001 to 1,000"),
        ({"place": {"camera": [True, 0, 1]}}, "camera"),
        ({"place": {"camera": ["0", 0, 1]}}, "camera"),
        ({"place": {"camera": [float("nan"), 0, 1]}}, "camera.*nan"),
        ({"place": {"camera": [float("inf"), 0, 1]}}, "camera.*inf"),
        ({"place": {"camera": [10**400, 0, 1]}}, "camera"),
        ({"place": {"followed": ["nobody", 0]}}, "followed"),
        ({"place": {"followed": [["encoder"], 0]}}, "followed"),
        ({"place": {"followed": ["encoder", limits.MAX_TOKENS]}}, "followed.*0 to 63"),
        ({"place": {"followed": ["encoder", 0.5]}}, "followed"),
        ({"place": {"unfolded": "encoder"}}, "unfolded"),
        ({"place": {"unfolded": ["a"] * (MAX_UNFOLDED + 1)}}, "unfolded.*200"),
        ({"place": {"unfolded": ["a" * (MAX_PART_LENGTH + 1)]}}, "unfolded.*part"),
        ({"place": {"unfolded": ["\ud800"]}}, "unfolded"),
        ({"place": {"unfolded": [[]]}}, "unfolded"),
        ({"layers": {"attic": 0}}, "attic"),
        ({"layers": {"head": -2}}, "head"),
        ({"layers": 3}, "layers"),
        ({"decode": {"method": "guess"}}, "decoding method"),
        ({"decode": {"beam_size": 11}}, "beam size"),
        ({"decode": []}, "decode"),
        ({"silenced": "all"}, "not a list"),
        ({"silenced": [HEAD]}, "group of fields"),
        ({"silenced": [{"path": HEAD}]}, r"silenced\[0\].*no field “to”"),
        ({"silenced": [{"path": 3, "to": "zero"}]}, r"silenced\[0\]\.path.*no text"),
        ({"silenced": [{"path": HEAD, "to": "one"}]}, "zero, mean"),
        ({"silenced": [{"path": HEAD, "to": "zero", "column": 99}]}, "no column 99"),
        ({"silenced": [{"path": HEAD, "to": "zero", "row": 64}]}, "no row 64"),
        ({"silenced": [{"path": HEAD, "to": "zero", "row": -1}]}, "whole number"),
        ({"silenced": [{"path": HEAD, "to": "zero", "row": True}]}, "whole number"),
        ({"silenced": [{"path": HEAD, "to": "zero", "more": 1}]}, "more"),
        ({"silenced": [{"path": "decoder.0.cross_attn.head.7.context", "to": "zero"}]}, "no part"),
        ({"silenced": [{"path": "decoder.0.cross_attn.head.01.context", "to": "zero"}]}, "no part"),
        ({"silenced": [{"path": "decoder.0.cross_attn.context", "to": "zero"}]}, "no part"),
        ({"silenced": [{"path": "decoder.3.cross_attn.out", "to": "zero"}]}, "no part"),
        ({"silenced": [{"path": "decoder.0.cross_attn.head.0.weights", "to": "zero"}]}, "no part"),
        ({"silenced": [{"path": "source.W_e", "to": "zero"}]}, "no part"),
        ({"silenced": [{"path": "source.ids", "to": "zero"}]}, "no part"),
        ({"silenced": [{"path": "output.logits", "to": "zero"}]}, "no part"),
        ({"silenced": [{"path": OUT, "to": "zero"}] * 401}, "at most 400"),
        ({"model": "nothing"}, "no model called “nothing”"),
        ({"model": ["dates"]}, "no model called"),
        ({"model": "document-table", "settings": {"d_ff": 16}}, "settings.*choose Sandbox"),
        ({"model": "document-table", "settings": {"positions": "learned"}}, "choose Sandbox"),
        ({"model": "dates", "source": ["/"]}, "source.*“/”"),
        ({"model": "paper-base", "settings": {"d_ff": 8}}, "the paper's"),
    ],
)
def test_errors_are_one_sentence_with_the_invalid_value(data, said):
    with pytest.raises(ValueError, match=said) as caught:
        from_dict({"version": 1, **data})
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert len(sentence) < 250
    assert "\n" not in sentence
    assert any(f"“{name}" in sentence for name in data)


def test_data_of_an_unknown_version_or_without_a_part_are_refused():
    for data, said in (
        ([], "no scenario"),
        ({}, "version is “None”"),
        ({"version": 2}, "version is “2”"),
        (
            {"version": 1, "model": "file"},
            "only in the file it came from, which this tab could not",
        ),
        ({"version": 1, "model": "own-pairs"}, "“pairs”.*a text and its unit"),
    ):
        with pytest.raises(ValueError, match=said) as caught:
            from_dict(data)
        assert str(caught.value).endswith(".")


@settings(SLOWLY, max_examples=400)
@given(
    base=st.sampled_from([PHRASES, PAIRS, {}, {"model": "dates"}, {"model": "document-table"}]),
    field=st.sampled_from([*FIELDS, "weights", "trained", "pairs", "recipe", "writes_itself"]),
    inner=st.sampled_from([*CHECKSUM, *INNER]),
    value=JSON,
)
def test_random_changes_of_fields_raise_no_other_error(base, field, inner, value):
    for wrong in (value, {inner: value}, {**PAIRS["pairs"], inner: value}):
        data = {"version": 1, **base, field: wrong}
        try:
            saved = from_json(json.dumps(data))
        except ValueError as error:
            assert str(error).endswith(".")  # noqa: PT017 - either outcome is right
        else:
            state = AppState(Scenario())
            state.snapshots.restore(saved)
            ForwardPassRunner().trace(state.scenario)
            assert from_json(to_json(saved, with_weights=True)).scenario == saved.scenario


def test_a_trained_model_that_was_opened_from_a_file_is_not_stored():
    scenario = opened({"a.safetensors": dates_file()}, Scenario())
    assert "weights" not in to_dict(SavedSession(scenario), with_weights=True)
    assert dataclasses.replace(scenario, data=None) == scenario


# -- very long pairs -------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", ["character", "word"])
@pytest.mark.parametrize("length", [1, 62, 63, 64])
def test_the_longest_pairs_that_can_be_read_can_be_shown(unit, length):
    sides = [f"{k:0{length}}" if unit == "character" else " ".join([f"w{k}"] * length)
             for k in range(9)]  # fmt: skip
    scenario = catalog.of_pairs(TrainingData("own", "".join(f"{a},{a}\n" for a in sides), unit))
    assert 1 <= len(scenario.source) <= 64
    assert scenario.writes_itself
    state = AppState(Scenario())
    state.change(scenario)
    assert chosen(from_json(to_json(state.snapshots.take())).scenario) == chosen(state.scenario)


def test_the_means_of_the_optimizer_are_packed_once_for_each_step_and_freed_with_it():
    run = TrainingRun(TrainingPlan.of(small()))
    run.advance()
    scenario = small().trained(run.weights(), run.step)
    first = Moments(scenario, *run.trainer.means())
    assert packed_weights.packed_moments(first) is packed_weights.packed_moments(first)
    run.advance()
    second = Moments(scenario, *run.trainer.means())
    assert packed_weights.packed_moments(first) != packed_weights.packed_moments(second)
    gone = weakref.ref(first)
    del first
    gc.collect()
    assert gone() is None
