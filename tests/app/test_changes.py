import re

import numpy as np
import pytest
from tinkerformer.board.view import ExploreView
from tinkerformer.model.matrices.address import CellAddress
from tinkerformer.model.matrices.dropped import dropped
from tinkerformer.model.scenario.silences import Silence
from tinkerformer.model.scenario.weights import Weights
from tinkerformer.session.state import AppState

CROSS = "decoder.0.cross_attn.head.1.weights"


@pytest.fixture
def page():
    state = AppState()
    return state, ExploreView(state)


def told(page):
    changed = page[1].board.component.changed
    return f"{changed['cause']}: {changed['effect']}" if changed else ""


def test_a_replaced_source_word_is_named_with_the_word_that_it_changes(page):
    state, _ = page
    assert told(page) == ""
    state.change(state.scenario.with_tokens("source", ["the", "white", *state.scenario.source[2:]]))
    assert told(page) == "“black” → “white”: “noir” becomes “blanc”."
    state.undo()
    assert told(page) == ""
    state.change(state.scenario.with_tokens("source", ["the", *state.scenario.source[2:]]))
    assert told(page) == "It reads “the cat sat on the mat”: “noir” falls away."


def test_an_edited_number_is_named_with_its_value_before_and_after(page):
    state, _ = page
    before = float(state.trace["source.embedding"].value[1, 2])
    state.change(state.scenario.with_value("source.embedding", (1, 2), before + 0.001))
    was, now = re.findall(r"−[\d.]+", told(page))
    assert was != now  # even if both are close
    assert told(page).endswith(": It writes the same words.")
    state.change(state.scenario.with_value("source.embedding", (1, 2), 3.0))
    assert told(page).startswith("“black”, column d2 in E: −1.33 → 3: “noir” falls away.")
    state.change(state.scenario.without_edits())
    assert told(page).startswith("“black”, column d2 in E: restored: ")
    said = told(page)
    state.selection = CellAddress("source.embedding", 1, 2)
    assert told(page) == said


@pytest.mark.parametrize("weights", ["random", "learned"])
def test_a_weight_that_new_weights_replace_is_not_called_restored(page, weights):
    state, _ = page
    edited = state.scenario.with_value("source.W_e", (4, 3), 9)
    state.change(edited)
    now = None
    if weights == "learned":
        own = edited.weights
        arrays = {path: array + 0.25 for path, array in own.arrays.items()}
        now = Weights(arrays, own.source_vocabulary, own.target_vocabulary, own.name)
    state.change(edited.trained(now, 3 if now else 0, edited.edits))
    said = "Random weights instead of the trained ones" if now is None else "Trained for 3 steps"
    assert told(page).startswith(f"{said}: ")


@pytest.mark.parametrize(
    ("path", "index", "said"),
    [
        ("source.W_e", (4, 3), "“black”, column d3 in W_src^E: −0.00213 → 9"),
        ("encoder.0.self_attn.W_q", (1, 3, 0), "W₂^Q[d3, k0], encoder layer 1, self-attention: "),
        ("encoder.0.self_attn.q", (0, 1, 2), "“black”, column k2 in Q₁, encoder layer 1, "),
        ("encoder.0.self_attn.weights", (0, 0, 5), "The first “the” to the second “the” in A₁, "),
        ("decoder.0.feed_forward.b_2", (3,), "b₂[d3], decoder layer 1, feed-forward network: "),
        ("output.W_out", (2, 5), "“petite”, row d2 in W^out: "),
    ],
)
def test_a_number_of_a_word_is_named_by_the_word(page, path, index, said):
    state, _ = page
    state.change(state.scenario.with_value(path, index, 9.0))
    assert told(page).startswith(said), told(page)


def test_equal_words_are_told_apart(page):
    state, _ = page
    row = {(2, k): float(k == 5) for k in range(len(state.scenario.source))}
    state.change(state.scenario.with_values(CROSS, row))
    assert "“chat” looks only at the second “the”" in told(page)
    state.change(state.scenario.without_edits())
    state.change(state.scenario.with_values(CROSS, {(2, k): 0.5 for k in range(7)}))
    assert told(page).startswith("7 numbers of A₂, decoder layer 1, cross-attention, head 2: ")


def test_only_the_numbers_that_moved_most_are_named(page):
    state, _ = page
    small = {
        (row, column): float(x) + 1e-4
        for (row, column), x in np.ndenumerate(state.trace["source.W_e"].value)
    }
    changed = state.scenario.with_values("source.W_e", small)
    changed = changed.with_value("source.W_e", (4, 3), 0.5).with_value("output.W_out", (2, 5), 3.0)
    state.change(changed)
    largest = (
        "“petite”, row d2 in W^out: 0.216 → 3; “black”, column d3 in W_src^E: −0.00213 → 0.5; "
    )
    assert told(page).startswith(f"{largest}199 more numbers: "), told(page)
    state.change(state.scenario.without_edits())
    assert told(page).startswith("“petite”, row d2 in W^out: restored; "), told(page)
    assert "; 199 more numbers: " in told(page)


def test_of_many_changed_settings_two_are_named_and_the_others_counted(page):
    state, _ = page
    changed = state.scenario.with_setting("norm", "pre").with_setting("activation", "gelu")
    state.change(changed.with_silence(Silence("decoder.0.cross_attn.head.1.context")))
    assert "; 1 more change" in told(page), told(page)


def test_silencing_a_part_and_switching_dropout_are_stated(page):
    state, _ = page
    silence = Silence("decoder.0.cross_attn.head.1.context")
    state.change(state.scenario.with_silence(silence))
    assert re.match("Head 2 of .* silenced: It now writes “un chat .*”", told(page)), told(page)
    state.change(state.scenario.without_silence(*silence.part))
    assert re.match("Head 2 of .* works again: ", told(page)), told(page)
    state.change(state.scenario.with_training(True))
    found = dropped(state.trace)
    assert told(page) == f"Dropout on: Dropout sets {found.dropped} of {found.of} numbers to 0."
    state.change(state.scenario.with_training(False))
    assert told(page) == "Dropout off: No number is dropped any more."


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("decoder_layers", "2", "New layers start from random numbers."),
        ("d_ff", "7", "The weights start from random numbers."),
    ],
)
def test_a_change_of_sizes_is_stated_with_the_random_weights(page, name, value, said):
    state, _ = page
    state.change(state.scenario.with_setting(name, value))
    assert state.view_model.change.is_untrained
    assert state.view_model.change.cause.endswith(f". {said}")
    assert "instead of" not in state.view_model.change.cause
    state.change(state.scenario.with_value("source.W_e", (0, 0), 3.0))
    assert not state.view_model.change.is_untrained


def test_the_number_of_changes_opens_the_comparison_with_the_page_before(page):
    state, view = page
    before = state.scenario
    view.board.component.receive({"type": "changes"})
    assert state.baseline is None
    state.change(before.with_value("source.W_e", (1, 2), 3.0))
    view.board.component.receive({"type": "changes"})
    assert state.baseline == before
    assert state.scenario.view.plane == "change"
    assert view.board.component.changed["compared"]
    assert told(page).startswith("“a”, column d2 in")


def test_undo_while_comparing_leaves_no_difference(page):
    state, view = page
    before = state.scenario
    state.change(before.with_value("source.embedding", (1, 2), 3.0))
    assert state.scenario.target != before.target
    view.board.component.receive({"type": "changes"})
    assert state.compared.scenario.target == state.scenario.target
    state.undo()
    assert state.scenario.target == before.target
    for path in ("target.W_e", "decoder.0.cross_attn.head.1.weights", "output.probabilities"):
        before, now = state.compared.trace[path], state.trace[path]
        np.testing.assert_array_equal(before.value, now.value, path)
