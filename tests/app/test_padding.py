import numpy as np
import pytest
from tinkerformer.features.translate.view import PADDED, TranslateView
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.padding import is_padded, lengths, with_padding
from tinkerformer.session.state import AppState

from transformer_math.data.tokenizer import PAD

MODELS = ["phrases", "dates"]


@pytest.mark.parametrize("model", MODELS)
def test_padding_fills_both_texts_and_changes_nothing_else(model):
    scenario = catalog.first(model)
    pairs = scenario.data.pairs()
    padded = with_padding(scenario, True)
    assert (len(padded.source), len(padded.target)) == lengths(scenario)
    assert lengths(scenario) == (pairs.source_length, pairs.target_length)
    assert (is_padded(scenario), is_padded(padded)) == (False, True)
    before = ForwardPassRunner().trace(scenario)["output.probabilities"].value
    trace = ForwardPassRunner().trace(padded)
    # Products of longer matrices may differ in the last bits.
    np.testing.assert_allclose(
        trace["output.probabilities"].value[: len(before)], before, atol=1e-5
    )
    for side, path in (("source", "encoder.0.self_attn"), ("target", "decoder.0.self_attn")):
        at = [i for i, token in enumerate(getattr(padded, side)) if token == PAD]
        assert not trace[f"{path}.weights"].value[..., at].any()


@pytest.mark.parametrize("model", MODELS)
def test_the_switch_pads_the_text_and_restores_it(model):
    state = AppState(catalog.first(model))
    form = TranslateView(state).form
    before = state.scenario
    form.value = {**form.value, PADDED: True}
    assert is_padded(state.scenario)
    [field] = [field for field in form.fields if field["name"] == PADDED]
    assert field["value"] is True
    form.value = {**form.value, PADDED: False}
    assert state.scenario == before
    state.undo()
    assert is_padded(state.scenario)


def test_another_text_is_padded_like_the_one_before():
    state = AppState()
    form = TranslateView(state).form
    form.value = {**form.value, PADDED: True}
    form.value = {**form.value, "text": "the dog sat"}
    assert state.scenario.source == ("the", "dog", "sat", *[PAD] * 5)
    assert state.scenario.target[:4] == ("<sos>", "le", "chien", "est")
    form.value = {**form.value, "text": "a small mouse sat in a black bed"}
    assert PAD not in state.scenario.source + state.scenario.target  # the longest text
    assert is_padded(state.scenario)
    form.press("random")
    assert is_padded(state.scenario)
    assert form.value[PADDED] is True
    form.value = {**form.value, PADDED: False}
    assert state.scenario.writes_itself


def test_a_model_that_was_not_trained_with_padding_has_no_switch():
    scenario = catalog.first("sandbox")
    assert lengths(scenario) is None
    with pytest.raises(ValueError, match="does not pad its texts"):
        with_padding(scenario, True)
    assert PADDED not in TranslateView(AppState(scenario)).form.value


def test_a_text_longer_than_any_of_the_training_is_not_padded():
    scenario = catalog.first("phrases").with_tokens("source", ["the"] * 9)
    assert with_padding(scenario, True).source == ("the",) * 9
