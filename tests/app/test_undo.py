"""Undo and redo: steps as a person thinks of them."""

from itertools import pairwise

from tinkerformer.files import model_file
from tinkerformer.scenario.scenario import Scenario
from tinkerformer.session.state import AppState
from tinkerformer.session.undo import MAX_STEPS, UndoHistory
from tinkerformer.views.exports import ExportsView


def edited(value, column=0):
    return Scenario().with_value("source.W_e", (0, column), value)


def test_there_and_back():
    history = UndoHistory()
    one, two = Scenario(), edited(1)
    history.record(one, two)
    assert history.undo(two) == one
    assert history.redo(one) == two
    assert history.redo(two) is None


def test_a_drag_is_one_step_and_a_pause_ends_it():
    now = [0.0]
    history = UndoHistory(clock=lambda: now[0])
    states = [Scenario(), edited(1), edited(2), edited(3)]
    for old, new in pairwise(states):
        history.record(old, new, of="cell")
        now[0] += 0.1
    assert len(history.past) == 1
    now[0] += 5
    history.record(states[-1], edited(4), of="cell")
    assert len(history.past) == 2


def test_one_press_is_one_step_however_long_it_rests_and_the_next_is_another():
    now = [0.0]
    history = UndoHistory(clock=lambda: now[0])
    history.record(Scenario(), edited(1), of="cell", press=3)
    now[0] += 60
    history.record(edited(1), edited(2), of="cell", press=3)
    assert len(history.past) == 1
    history.record(edited(2), edited(3), of="cell", press=4)
    assert len(history.past) == 2
    now[0] += 60
    history.record(edited(3), edited(2), of="cell", press=4)
    assert history.past == [Scenario()]  # given back by the press that had changed it


def test_what_is_given_back_at_once_is_no_step():
    history = UndoHistory(clock=lambda: 0.0)
    history.record(Scenario(), edited(1), of="other")
    states = [edited(1), edited(2), edited(3), edited(1)]
    for old, new in pairwise(states):
        history.record(old, new, of="cell")
    assert history.past == [Scenario()]
    history.record(edited(1), edited(5), of="cell")
    assert len(history.past) == 2


def test_another_cell_is_another_step():
    history = UndoHistory(clock=lambda: 0.0)
    history.record(Scenario(), edited(1), of="a")
    history.record(edited(1), edited(2), of="b")
    assert len(history.past) == 2


def test_a_new_change_forgets_what_was_undone():
    history = UndoHistory()
    history.record(Scenario(), edited(1))
    history.undo(edited(1))
    history.record(Scenario(), edited(2))
    assert history.redo(edited(2)) is None


def test_colors_are_no_step_and_stay_as_they_are():
    history = UndoHistory()
    colored = edited(1).with_view("palette", "safe")
    history.record(Scenario(), edited(1))
    history.record(edited(1), colored)
    assert len(history.past) == 1
    before = history.undo(colored)
    assert before is not None
    assert before.view.palette == "safe"
    assert not before.edits


def test_it_does_not_grow_without_end():
    history = UndoHistory(clock=lambda: 0.0)
    for k in range(MAX_STEPS + 50):
        history.record(edited(k), edited(k + 1))
    assert len(history.past) == MAX_STEPS


def test_the_state_goes_back_and_forth():
    state = AppState(Scenario())
    state.change(edited(1))
    state.change(edited(2))
    state.undo()
    assert state.scenario == edited(1)
    state.redo()
    assert state.scenario == edited(2)
    state.undo()
    state.undo()
    state.undo()
    assert state.scenario == Scenario()


def test_a_model_opened_from_a_file_can_be_undone_with_the_edits_it_replaced():
    state = AppState()
    state.change(edited(7))
    file = model_file.save(Scenario(), state.runner.trace(Scenario()))
    view = ExportsView(state)
    part = {"name": "model.safetensors", "bytes": file, "first": True}
    view.exports.receive({"type": "part", "id": 1, **part})
    view.exports.receive({"type": "open", "id": 2})
    assert state.scenario.weights is not None
    assert not state.scenario.edits
    state.undo()
    assert state.scenario == edited(7)
    assert state.scenario.weights is None


def test_every_step_is_told_forth_and_back_and_not_each_move_of_one():
    state = AppState(Scenario())
    told = []
    state.param.watch(lambda event: told.append(event.new), "steps")
    state.change(edited(1), "cell", press=1)
    state.change(edited(2), "cell", press=1)
    assert told == [1]
    state.undo()
    state.redo()
    assert told == [1, 2, 3]
    state.change(state.scenario.with_view("palette", "safe"))
    assert told == [1, 2, 3]
