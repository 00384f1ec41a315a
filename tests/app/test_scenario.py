import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.scenario.edited_choices import checked_value
from tinkerformer.model.scenario.model_settings import ModelSettings
from tinkerformer.model.scenario.scenario import Scenario

TOKENS = st.lists(st.text(max_size=24), min_size=1, max_size=12)


def test_the_default_page_shows_the_example():
    scenario = Scenario()
    assert " ".join(scenario.source) == "the cat sat on the mat"
    assert " ".join(scenario.target) == "<sos> le chat"
    config = scenario.config
    assert (config.d_model, config.heads, config.feed_forward_width) == (8, 2, 32)
    assert (config.encoder_layers, config.decoder_layers) == (1, 1)
    trace = ForwardPassRunner().trace(scenario)
    assert sum(tensor.value.size for tensor in trace.tensors.values()) > 1500


def test_a_typographic_minus_is_read_as_a_minus():
    assert checked_value("−2.5") == -2.5


@settings(max_examples=40, deadline=None)
@given(source=TOKENS, target=TOKENS)
def test_any_tokens_give_finite_probabilities(source, target):
    scenario = Scenario().with_tokens("source", source).with_tokens("target", target)
    probabilities = ForwardPassRunner().trace(scenario)["output.probabilities"].value
    assert probabilities.shape == (len(target), len(scenario.target_vocabulary))
    np.testing.assert_allclose(probabilities.sum(-1), 1, rtol=1e-5)


@pytest.mark.parametrize("raw", ["", "abc", "nan", "inf", "-inf", "1e9", None, [], "0x10"])
def test_invalid_numbers_are_answered_with_the_limits(raw):
    with pytest.raises(ValueError, match="−1000 to 1000"):
        checked_value(raw)


@settings(max_examples=60, deadline=None)
@given(
    name=st.sampled_from(["d_model", "heads", "encoder_layers", "decoder_layers", "d_ff", "d_k"]),
    raw=st.one_of(st.integers(-3, 300).map(str), st.text(max_size=4)),
)
def test_a_setting_is_changed_or_refused_in_a_sentence(name, raw):
    scenario = Scenario()
    try:
        changed = scenario.with_setting(name, raw)
    except ValueError as error:
        sentence = str(error)
    else:
        sentence = "."
        low, high, *_ = ModelSettings.declared_limits(name)
        value = getattr(changed.settings, name)
        assert value is None or low <= value <= high
        assert changed.config.d_model % changed.config.heads == 0
    assert sentence.endswith(".")
    assert scenario == Scenario()


def test_an_edit_changes_the_matrix_and_can_be_removed():
    runner, scenario = ForwardPassRunner(), Scenario()
    path, index = "encoder.0.self_attn.head.1.W_q", (2, 3)
    before = runner.trace(scenario)[path].value[index]
    edited = scenario.with_value(path, index, 5)
    assert runner.trace(edited)[path].value[index] == 5
    restored = edited.without_value(path, index)
    assert runner.trace(restored)[path].value[index] == before
    assert runner.original(edited, "encoder.0.self_attn.W_q", (1, 2, 3)) == before


@pytest.mark.parametrize(
    ("path", "index", "said"),
    [
        *((path, (0, 0), "no numbers") for path in ("source.ids", "target.mask", "no.such.path")),
        ("encoder.7.self_attn.q", (0, 0), "no numbers"),
        ("source.W_e", (0, 8), "no cell"),
    ],
)
def test_only_cells_of_real_numbers_can_be_set(path, index, said):
    with pytest.raises(ValueError, match=said):
        Scenario().with_value(path, index, 1)


def test_a_computed_cell_can_be_overridden_and_restored():
    runner, scenario = ForwardPassRunner(), Scenario()
    path = "decoder.0.cross_attn.head.1.weights"
    before = runner.trace(scenario)
    set_by_hand = scenario.with_value(path, (2, 3), 1)
    trace = runner.trace(set_by_hand)
    assert trace[path].value[2, 3] == 1
    changed = {p for p in before if (before[p].value != trace[p].value).any()}
    assert changed <= {"decoder.0.cross_attn.weights", *before.downstream(path)}
    assert "output.probabilities" in changed
    for released in (set_by_hand.without_value(path, (2, 3)), set_by_hand.without_overrides()):
        again = runner.trace(released)
        np.testing.assert_array_equal(again[path].value, before[path].value)


def test_an_override_has_no_effect_while_its_position_is_missing():
    scenario = Scenario().with_value("source.sum", (5, 0), 3)
    shorter = scenario.with_tokens("source", ["the", "cat"])
    assert shorter.overrides() == {}
    assert shorter.with_tokens("source", scenario.source).overrides() == {
        "source.sum": {(5, 0): 3.0}
    }


def test_the_edits_of_one_matrix_can_be_removed():
    scenario = Scenario().with_value("encoder.0.self_attn.head.0.W_q", (0, 0), 1)
    scenario = scenario.with_value("encoder.0.self_attn.head.1.W_q", (0, 0), 1)
    left = scenario.without_matrix("encoder.0.self_attn.head.1.W_q").overrides()
    assert left == {"encoder.0.self_attn.W_q": {(0, 0, 0): 1.0}}


@pytest.mark.parametrize(
    "name", ["norm", "decoder_layers", "encoder_layers", "positions", "dropout.preset", "heads"]
)
@pytest.mark.parametrize("raw", ["pre", "0", "1", "2", "none", "learned", "torch", "post"])
def test_declared_shapes_equal_those_of_the_pass(name, raw):
    try:
        scenario = Scenario().with_setting(name, raw)
    except (ValueError, KeyError):
        return
    trace = ForwardPassRunner().trace(scenario)
    for path, tensor in trace.tensors.items():
        leaf = path.rpartition(".")[2]
        expected = None if leaf in ("ids", "mask", "labels", "token_loss", "loss") else tensor.shape
        assert scenario.shape(path) == expected, path
    for path in ForwardPassRunner().trace(Scenario()):
        if path not in trace.tensors:
            assert scenario.shape(path) is None, path


def test_edits_of_an_embedding_and_an_output_column_move_with_their_word():
    scenario = Scenario()
    row = scenario.source_vocabulary.index("cat")
    edited = scenario.with_value("source.W_e", (row, 0), 7)
    moved = edited.with_tokens("source", ["a", "new", "cat"])
    assert moved.overrides() == {"source.W_e": {(2, 0): 7.0}}
    gone = edited.with_tokens("source", ["dog"])
    assert gone.overrides() == {}
    assert gone.with_tokens("source", ["cat"]).overrides() == {"source.W_e": {(0, 0): 7.0}}
    column = scenario.target_vocabulary.index("chat")
    moved = scenario.with_value("output.W_out", (3, column), 2).with_answers(["chat", "chien"])
    assert moved.overrides() == {"output.W_out": {(3, moved.target_vocabulary.index("chat")): 2.0}}


def test_new_sizes_remove_edits_that_no_longer_fit():
    scenario = Scenario().with_value("encoder.0.feed_forward.b_1", (5,), 1)
    scenario = scenario.with_value("source.W_e", (0, 0), 1)
    wider = scenario.with_setting("d_model", 10).with_setting("d_ff", 32)
    assert not wider.overrides()
    deeper = scenario.with_setting("encoder_layers", 2)
    assert len(deeper.edits) == 2


def test_adding_a_token_does_not_change_the_numbers_of_the_others():
    runner = ForwardPassRunner()
    before = runner.trace(Scenario())
    after = runner.trace(Scenario().with_tokens("source", [*Scenario().source, "quietly"]))
    np.testing.assert_array_equal(before["source.W_e"].value, after["source.W_e"].value[:-1])
    path = "encoder.0.self_attn.W_q"
    np.testing.assert_array_equal(before[path].value, after[path].value)


def test_a_seed_gives_the_same_masks_and_drawing_again_gives_others():
    runner = ForwardPassRunner()
    on = Scenario().with_training(True).with_setting("dropout.embedding", "0.5")

    def kept(scenario):
        return runner.trace(scenario)["source.dropout"].op.kept.copy()

    first = kept(on)
    np.testing.assert_array_equal(first, kept(on.with_value("source.W_e", (0, 0), 3)))
    assert (first != kept(on.resampled())).any()
    thawed = on.with_keep_masks(False)
    assert (first != kept(thawed.with_value("source.W_e", (0, 0), 3))).any()


def test_a_change_to_the_same_value_returns_the_same_object():
    scenario = Scenario()
    assert scenario.with_training(scenario.training) is scenario
    assert scenario.vocabulary is scenario.vocabulary
    assert scenario.config is scenario.config
