from itertools import pairwise

from tinkerformer.features.exports.view import ExportsView
from tinkerformer.files import catalog, model_file
from tinkerformer.model.matrices.address import CellAddress
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.model.scenario.weights import Weights
from tinkerformer.session import undo
from tinkerformer.session.state import AppState
from tinkerformer.session.undo import BYTES_AN_EDIT, MAX_BYTES, MAX_STEPS, Step, UndoHistory
from tinkerformer.view_model.last_edit import Changed, edit_after


class History(UndoHistory):
    """A history with the last edit, as in the state."""

    def __init__(self, clock=lambda: 0.0):
        super().__init__()
        self.clock, self.edit = clock, None

    def change(self, old, new, of=None, press=0):
        self.edit = edit_after(self.edit, Changed(old, new, self.clock(), of, press))
        self.record(self.edit)


def edited(value, column=0):
    return Scenario().with_value("source.W_e", (0, column), value)


def test_the_edits_of_all_steps_stay_within_the_memory_limit():
    history, now = History(), Scenario()
    rows, columns = now.config.parameter_shapes()["encoder.0.feed_forward.W_1"]
    for k in range(3 * MAX_STEPS):
        place = (k // columns % rows, k % columns)
        new = now.with_value("encoder.0.feed_forward.W_1", place, 1 + k)
        new = new.with_value("encoder.0.feed_forward.W_2", (place[1], place[0]), 1 + k)
        history.change(now, new)
        now = new
    assert len(now.edits) > 200
    held = BYTES_AN_EDIT * sum(len(step.scenario.edits) for step in history.past)
    assert held <= MAX_BYTES
    # Steps are dropped only if one more would exceed the limit.
    assert held + BYTES_AN_EDIT * len(history.past[0].scenario.edits) > MAX_BYTES or (
        len(history.past) == MAX_STEPS
    )


def test_the_last_step_is_kept_whatever_its_size(monkeypatch):
    monkeypatch.setattr(undo, "MAX_BYTES", 0)
    history = History()
    history.change(edited(1), edited(2))
    history.change(edited(2), edited(3))
    assert history.past == [Step(edited(2))]


def test_different_weights_of_steps_are_limited_and_shared_weights_count_once(monkeypatch):
    scenario = catalog.first("phrases")
    size = sum(array.nbytes for array in scenario.weights.arrays.values())
    monkeypatch.setattr(undo, "MAX_WEIGHT_BYTES", 2 * size)
    history, now = History(), scenario
    for k in range(5):
        new = now.with_value("source.W_e", (0, 0), k + 1)
        history.change(now, new)
        now = new
    assert len(history.past) == 5
    for _ in range(5):
        arrays = {path: array + 1 for path, array in now.weights.arrays.items()}
        known = now.weights.source_vocabulary, now.weights.target_vocabulary
        new = now.trained(Weights(arrays, *known), now.steps_taken + 1)
        history.change(now, new)
        now = new
    assert len(history.past) == 2


def test_a_change_that_is_reverted_at_once_is_not_a_step():
    history = History(clock=lambda: 0.0)
    history.change(Scenario(), edited(1), of="other")
    states = [edited(1), edited(2), edited(3), edited(1)]
    for old, new in pairwise(states):
        history.change(old, new, of="cell")
    assert history.past == [Step(Scenario())]
    history.change(edited(1), edited(5), of="cell")
    assert len(history.past) == 2


def test_a_new_change_removes_the_steps_to_redo():
    history = History()
    history.change(Scenario(), edited(1))
    history.undo(Step(edited(1)))
    history.change(Scenario(), edited(2))
    assert history.redo(Step(edited(2))) is None


def test_colors_are_not_a_step_and_undo_does_not_change_them():
    history = History()
    colored = edited(1).with_view("palette", "safe")
    history.change(Scenario(), edited(1))
    history.change(edited(1), colored)
    assert len(history.past) == 1
    before = history.undo(Step(colored))
    assert before is not None
    assert before.scenario.view.palette == "safe"
    assert not before.scenario.edits


def test_the_history_is_bounded():
    history = History(clock=lambda: 0.0)
    for k in range(MAX_STEPS + 50):
        history.change(edited(k), edited(k + 1))
    assert len(history.past) == MAX_STEPS


def test_undo_after_opening_a_file_restores_the_model_and_its_edits():
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


def test_each_step_is_described_once_and_not_with_each_move():
    state = AppState(Scenario())
    told = []
    state.param.watch(lambda event: told.append(event.new), "steps")
    state.change(edited(1), "cell", press=1, held=True)
    state.change(edited(2), "cell", press=1, held=True)
    assert told == [1]
    state.undo()
    state.redo()
    assert told == [1, 2, 3]
    state.change(state.scenario.with_view("palette", "safe"))
    assert told == [1, 2, 3]


def test_stopping_an_oscillation_is_a_step_of_its_own_after_a_drag():
    state = AppState(catalog.first("phrases"))
    state.follow(["decoder", 2])
    first, cell = state.scenario, CellAddress("source.embedding", 1, 1)
    state.select(cell, press=1)
    state.change(first.with_value(cell.path, (1, 1), 1.5), "number", press=1, held=True)
    state.release()
    dragged, told = state.scenario, state.view_model.change
    for is_stopped in (True, False):
        state.swing(state.oscillation._replace(on=True))
        if is_stopped:
            state.swing(state.oscillation._replace(on=False))
        assert state.view_model.change is None
        state.undo()
        assert state.scenario.has_numbers_of(dragged)
        assert (state.oscillation.on, state.selection) == (False, cell)
        assert state.view_model.change == told
    state.undo()
    assert state.scenario.has_numbers_of(first)
    state.redo()
    assert state.scenario.has_numbers_of(dragged)
