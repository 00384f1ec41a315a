from dataclasses import replace

import numpy as np
import pytest
from tinkerformer.board import stages
from tinkerformer.board.stages import picture
from tinkerformer.decoding.task import notes
from tinkerformer.explain.effect import effect
from tinkerformer.explain.labels import axis_titles
from tinkerformer.explain.sequence_notes import AT_ONCE
from tinkerformer.features.tokens.view import TokensView
from tinkerformer.features.translate.view import TranslateView
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.writing import likeliest
from tinkerformer.session.state import AppState


@pytest.fixture
def state():
    state = AppState()
    state.change(state.scenario.with_setting("causal_mask", False))
    return state


def test_the_slots_show_the_words_that_the_pass_predicts(state):
    assert state.view_model.sentence.moves == "ahead"  # each slot shows its row's word
    target = TokensView(state).tokens.lists[1]
    assert target["moves"] == "ahead"
    assert target["note"].startswith("Here rows also see the words after them.")
    state.change(state.scenario.with_setting("causal_mask", True))
    assert state.view_model.sentence.moves == ""


def test_the_effect_is_stated_for_the_predictions_and_not_for_the_sentence(state):
    masked = state.scenario.with_setting("causal_mask", True)
    said = effect(masked, state.scenario, state.runner).sentence
    was, now = (likeliest(each, state.runner) for each in (masked, state.scenario))
    at = next(k for k, pair in enumerate(zip(was, now, strict=True)) if pair[0] != pair[1])
    assert at == 0
    turns = f"the first guess turns from “{was[0]}” to “{now[0]}”."
    assert said == f"Now each word sees the ones after it: {turns}"
    said = effect(state.scenario, masked, state.runner).sentence
    turns = f"the first guess turns from “{now[0]}” to “{was[0]}”."
    assert said == f"Now no word sees the ones after it: {turns}"


def test_titles_of_rows_name_only_words_that_the_pass_predicts(state):
    def titles(scenario):
        path, size = "decoder.0.self_attn.weights", len(scenario.target)
        return axis_titles(scenario.axis_tokens, path, "position", size)

    for changed in (state.scenario, state.scenario.with_setting("causal_mask", True)):
        is_masked = changed.settings.causal_mask
        assert any(" → writes " in title for title in titles(changed)) == is_masked
        assert not any("→" in title for title in titles(replace(changed, training=True)))


def test_the_settings_and_decoding_state_that_words_are_written_one_by_one(state):
    fields = {field["name"]: field for field in TranslateView(state).form.fields}
    said = fields["verdict"]["value"]
    assert said == f"Written word by word: right. {AT_ONCE}"
    assert any("causal mask is off" in note for note in notes(state.scenario))


def test_no_title_calls_the_unmasked_attention_masked(state):
    scenario, trace = state.scenario, ForwardPassRunner().trace(state.scenario)
    parts = {part["id"]: part for part in picture.manifest(scenario, trace, 1)["whole"]["parts"]}
    part = parts["decoder.0.self_attn"]
    assert (part["title"], part["words"]) == ("self-attention", "words look at each other")
    titles = [stage["title"] for stage in stages.manifest(scenario, trace, 1)["stages"]]
    assert "Self-attention · decoder layer 1" in titles
    assert not any("Masked" in title for title in titles)


def test_the_words_at_masked_self_attention_hold_for_every_row():
    """Most words attend to themselves most; only that none looks ahead is true of all."""
    scenario = catalog.first("phrases")
    trace = ForwardPassRunner().trace(scenario)
    parts = {part["id"]: part for part in picture.manifest(scenario, trace, 1)["whole"]["parts"]}
    part = parts["decoder.0.self_attn"]
    assert (part["title"], part["words"]) == ("masked self-attention", "no word looks ahead")
    weights = trace["decoder.0.self_attn.weights"].value
    assert not np.triu(weights, 1).any()
    assert np.trace(weights[1]) > 1
