"""Without a causal mask: words are written one by one, and the picture reads them all at once."""

import pytest
from tinkerformer import stages
from tinkerformer.decoding.task import notes
from tinkerformer.explain.effect import effect
from tinkerformer.explain.sequence_notes import AT_ONCE
from tinkerformer.inference.forward_pass import ForwardPassRunner
from tinkerformer.session.state import AppState
from tinkerformer.stages import whole
from tinkerformer.views.tokens import TokensView
from tinkerformer.views.translate import TranslateView


@pytest.fixture
def state():
    state = AppState()
    state.change(state.scenario.with_setting("causal_mask", False))
    return state


def test_the_written_words_are_shown_as_those_of_the_pass(state):
    assert state.view_model.sentence.moves == "ahead"  # each slot says what its row writes
    target = TokensView(state).tokens.lists[1]
    assert target["moves"] == "ahead"
    assert target["note"].startswith("Read at once, rows see later words.")
    state.change(state.scenario.with_setting("causal_mask", True))
    assert state.view_model.sentence.moves == ""


def test_the_change_is_told_of_the_rows_and_not_of_the_sentence(state):
    masked = state.scenario.with_setting("causal_mask", True)
    said = effect(masked, state.scenario, state.runner)
    assert said.startswith("Of the next words, ")
    assert "becomes" in said


def test_the_settings_and_decoding_say_that_words_are_written_one_by_one(state):
    fields = {field["name"]: field for field in TranslateView(state).form.fields}
    said = fields["verdict"]["value"]
    assert said == f"Written word by word: right. {AT_ONCE}"
    assert any("causal mask is off" in note for note in notes(state.scenario))


def test_no_name_says_that_it_masks(state):
    scenario, trace = state.scenario, ForwardPassRunner().trace(state.scenario)
    parts = {part["id"]: part for part in whole.manifest(scenario, trace, 1)["whole"]["parts"]}
    part = parts["decoder.0.self_attn"]
    assert (part["title"], part["words"]) == ("self-attention", "words look at each other")
    titles = [stage["title"] for stage in stages.manifest(scenario, trace, 1)["stages"]]
    assert "Self-attention · decoder layer 1" in titles
    assert not any("Masked" in title for title in titles)
