import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tinkerformer.files import catalog
from tinkerformer.model.inference.followed_lane import place_in
from tinkerformer.model.inference.writing import with_written_target
from tinkerformer.model.matrices.address import CellAddress
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.model.scenario.weights import Weights
from tinkerformer.session.saved_history import HistoryWriter, read_history
from tinkerformer.session.state import AppState
from tinkerformer.view_model.focus import Followed

NOIR, CHAT, BLACK = Followed("decoder", 2), Followed("decoder", 1), Followed("encoder", 1)
CELL, OTHER = CellAddress("source.embedding", 1, 2), CellAddress("source.embedding", 2, 2)


@pytest.fixture
def state():
    made = AppState()
    made.go("followed", list(NOIR))
    return made


def edit(state, value, press=0, cell=(1, 2)):
    changed = state.scenario.with_value("source.W_e", cell, value)
    state.change(changed, of=cell, press=press, held=press > 0)


def focus(state):
    return state.location.followed, state.selection


def test_a_number_that_a_drag_selected_is_released_by_undo(state):
    state.select(CELL, press=4)
    edit(state, 3, press=4)
    edit(state, 4, press=4)
    assert focus(state) == (None, CELL)
    state.undo()
    assert focus(state) == (NOIR, None)
    state.redo()
    assert focus(state) == (NOIR, None)
    assert state.scenario.edits


def test_a_number_that_was_selected_before_a_drag_stays_in_focus(state):
    state.select(CELL)
    edit(state, 3, press=4)
    state.undo()
    assert focus(state) == (None, CELL)
    state.redo()
    assert focus(state) == (None, CELL)


def test_undo_of_a_released_number_puts_the_word_before_it_in_focus(state):
    state.select(CELL)
    edit(state, 3, press=4)
    state.selection = None
    state.go("followed", list(CHAT))
    state.undo()
    assert focus(state) == (NOIR, None)


def test_undo_of_an_experiment_restores_the_followed_word(state):
    start = state.scenario
    state.experiment.show(start.with_value("source.W_e", (1, 2), 3), start)
    state.experiment.show(start.with_value("source.W_e", (1, 2), 4), start)
    state.go("followed", list(CHAT))
    state.undo()
    assert (state.location.followed, state.scenario) == (NOIR, start)


def test_a_reload_keeps_the_followed_words_of_all_steps(state):
    edit(state, 3)
    state.go("followed", list(CHAT))
    edit(state, 4, cell=(1, 3))
    state.select(CELL)
    text = HistoryWriter().text(state.history, state.scenario)
    again = AppState()
    again.snapshots.restore(state.snapshots.take())
    again.history = read_history(text)
    again.selection = None
    again.undo()
    assert again.location.followed == CHAT
    again.undo()
    assert (again.location.followed, again.scenario.edits) == (NOIR, {})


def test_steps_of_an_earlier_version_keep_the_present_word(state):
    edit(state, 3)
    text = json.dumps({"past": [{"gone": ["edits"]}], "future": [], "cut": False})
    state.history = read_history(text)
    state.undo()
    assert not state.scenario.edits
    assert state.location.followed == NOIR


@pytest.mark.parametrize(
    "wrong", [7, {"followed": ["encoder"]}, {"followed": 7}, {"number": "yes"}]
)
def test_a_step_with_an_invalid_word_is_reported(state, wrong):
    text = json.dumps({"past": [{"focus": wrong}], "future": [], "cut": False})
    state.history = read_history(text)
    before = state.scenario
    state.undo()
    assert state.scenario == before
    assert state.notice.startswith("The steps that this tab had kept cannot be read.")


WORDS = st.lists(st.sampled_from(["a", "cat", "dog", "sat"]), min_size=1, max_size=4)
DEEDS = st.one_of(
    st.tuples(st.just("edit"), st.integers(0, 3)),
    st.tuples(st.just("words"), WORDS),
    st.tuples(
        st.just("follow"),
        st.none() | st.tuples(st.sampled_from(["encoder", "decoder"]), st.integers(0, 3)),
    ),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(DEEDS, max_size=10), st.lists(st.booleans(), max_size=16))
def test_undo_and_redo_restore_each_state_with_the_word_it_was_left_with(deeds, moves):
    """For any edits and followed words in any order."""
    state = AppState(Scenario())
    left, at = [], 0  # each state with its word when it was left; the index of the shown state

    def seen():
        return state.scenario, state.location.followed

    for k, (name, what) in enumerate(deeds):
        before = seen()
        if name == "follow":
            place = what if what and place_in(*what, state.scenario) == what[1] else None
            state.go("followed", place and list(place))
        elif name == "edit":
            edit(state, k + 1.0, press=k + 1, cell=(0, what))
        else:
            state.change(state.scenario.with_tokens("source", what), of=k)
        if state.scenario != before[0]:
            left.append(before)
    left.append(seen())
    at = len(left) - 1
    for is_back in moves:
        if is_back:
            state.undo()
            at = max(0, at - 1)
        else:
            state.redo()
            at = min(len(left) - 1, at + 1)
        assert seen() == left[at]


def test_an_oscillation_during_a_training_run_does_not_divide_its_step_of_undo():
    state = AppState(catalog.first("phrases"))
    first = state.scenario.weights
    state.select(CELL)
    state.change(state.scenario.trained(halves(first, 1), 0))
    state.learning = True
    state.replace_weights(halves(first, 2), 1)
    state.swing(state.oscillation._replace(on=True))
    state.replace_weights(halves(first, 3), 2)
    state.learning = False
    state.undo()
    assert not state.oscillation.on
    state.undo()
    assert state.scenario.weights == first


def test_undo_of_a_training_run_shows_the_row_of_the_restored_word():
    state = AppState(catalog.first("phrases"))
    state.follow(list(NOIR))
    state.change(state.scenario.trained(halves(state.scenario.weights, 1), 0))
    state.follow(list(CHAT))
    state.undo()
    assert (state.location.followed, state.position) == (NOIR, NOIR.position)


def test_redo_of_an_interrupted_drag_has_the_words_that_the_model_writes():
    state = AppState(catalog.first("phrases"))
    number = state.scenario.with_value("encoder.0.self_attn.norm", (6, 2), -3.5)
    state.change(number, "number", press=1, held=True)
    state.undo()
    state.release()
    state.redo()
    assert state.scenario == with_written_target(number, state.runner)
    assert state.scenario.target != number.target


def halves(weights, times):
    arrays = {path: array / 2**times for path, array in weights.arrays.items()}
    return Weights(arrays, weights.source_vocabulary, weights.target_vocabulary)
