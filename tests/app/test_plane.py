import numpy as np
import pytest
from tinkerformer.features.plane.view import PlaneView
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.address import CellAddress
from tinkerformer.model.matrices.gradients import matrix_gradient
from tinkerformer.model.matrices.resolved_cell import resolve
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.results import Results
from tinkerformer.session.state import AppState

from transformer_math.ops.tensor import head_path


def opened(plane="gradient", scenario=None):
    state = AppState(scenario)
    state.change(state.scenario.with_view("plane", plane))
    return state, PlaneView(state, Results())


def learned(scenario, trace):
    """Return the drawn path of every parameter, one for each head."""
    for path, tensor in trace.tensors.items():
        if scenario.is_parameter(path):
            heads = tensor.shape[0] if tensor.dims[0] == "head" else None
            yield from [path] if heads is None else (head_path(path, k) for k in range(heads))


@pytest.mark.parametrize("scenario", [catalog.first("phrases"), catalog.first("dates"), Scenario()])
def test_the_line_names_the_weight_with_the_largest_gradient(scenario):
    state, view = opened(scenario=scenario)
    of_weight, of_computed = view.line.cells
    trace = state.runner.with_gradients(state.scenario)
    found = {path: matrix_gradient(trace, path) for path in learned(state.scenario, trace)}
    path = max(found, key=lambda p: np.abs(found[p]).max())
    assert of_weight["path"] == path
    largest = found[path]
    assert of_weight["value"] == largest[of_weight["i"], of_weight["j"]]
    assert abs(of_weight["value"]) == np.abs(largest).max()
    assert not state.scenario.is_parameter(of_computed["path"])
    there = matrix_gradient(trace, of_computed["path"])
    assert there[of_computed["i"], of_computed["j"]] == of_computed["value"]
    assert of_computed["path"] != "output.loss"
    assert of_weight["where"].startswith("row ")


def test_the_line_follows_the_numbers_and_is_hidden_without_gradients_or_board():
    state, view = opened()
    first = view.line.cells[0]
    assert view.line.visible
    state.change(state.scenario.with_value(first["path"], (first["i"], first["j"]), 5.0))
    assert view.line.cells[0]["value"] != first["value"]
    view.show(False)
    assert not view.line.visible
    view.show(True)
    assert view.line.visible
    view.line.receive({"type": "back"})
    assert state.scenario.view.plane == "value"
    assert not view.line.visible


def test_the_line_marks_its_cells_while_a_number_oscillates():
    state, view = opened()
    swing = state.oscillation._replace(on=True)
    state.update(selection=CellAddress("output.W_out", 0, 0), oscillation=swing)
    assert view.line.swings
    state.update(oscillation=swing._replace(on=False))
    assert not view.line.swings


def test_with_a_baseline_the_line_names_the_cause_and_the_largest_effect():
    state, view = opened("value", Scenario())  # the target of this scenario is typed
    state.baseline = state.scenario
    state.change(state.scenario.with_view("plane", "change"))
    assert view.line.cells == []
    assert view.line.nothing == "Nothing has changed."
    before = state.trace["output.W_out"].value[2, 3]
    state.change(state.scenario.with_value("output.W_out", (2, 3), 4.0))
    weight, computed = view.line.cells
    assert (weight["path"], weight["i"], weight["j"]) == ("output.W_out", 2, 3)
    assert weight["value"] == pytest.approx(4 - before)
    assert (computed["path"], computed["j"]) == ("output.logits", 3)


def test_the_line_does_not_name_a_masked_score():
    state, view = opened("value", Scenario())
    state.baseline = first = state.scenario
    state.change(first.with_view("plane", "change"))
    scores = "decoder.0.self_attn.head.0.raw_scores"
    state.change(state.scenario.with_value(scores, (0, 2), 900.0))
    assert view.line.cells == []
    state.change(state.scenario.with_value(scores, (2, 0), 900.0))
    (computed,) = view.line.cells
    assert (computed["path"], computed["i"], computed["j"]) == (scores, 2, 0)


def test_if_a_matrix_is_not_drawn_a_press_opens_the_whole_picture():
    state, view = opened()
    for name, after in [("formulas", "formulas"), ("attention", "picture"), ("train", "picture")]:
        state.go("view", name)
        view.line.receive({"type": "go"})
        assert state.location.view == after
    view.line.receive({"type": ["go"]})
    view.line.receive({"type": "explode"})
    assert state.scenario.view.plane == "gradient"


def loss(scenario):
    return float(ForwardPassRunner().trace(scenario)["output.loss"].value)


def test_the_loss_changes_as_the_line_predicts():
    state, view = opened()
    assert (
        view.line.meaning == "Blue: increasing the number raises the loss; red: it lowers the loss."
    )
    # Blue is positive: see `theme.COLORS`.
    of_weight = view.line.cells[0]
    gradient = matrix_gradient(state.runner.with_gradients(state.scenario), of_weight["path"])
    for sign, place in ((1, gradient.argmax()), (-1, gradient.argmin())):
        row, column = (int(n) for n in np.unravel_index(place, gradient.shape))
        found = resolve(state.trace, CellAddress(of_weight["path"], row, column))
        more = state.scenario.with_value(
            found.stored, found.full, float(state.trace[found.stored].value[found.full]) + 0.01
        )
        assert np.sign(loss(more) - loss(state.scenario)) == sign


def test_the_names_of_colors_depend_on_palette_and_plane():
    state, view = opened()
    state.change(state.scenario.with_view("palette", "safe"))
    assert "; orange: it lowers the loss." in view.line.meaning
    state.change(state.scenario.with_view("palette", "blue-red"))
    state.baseline = state.scenario
    state.change(state.scenario.with_view("plane", "change"))
    assert view.line.meaning == "Blue: larger than before; red: smaller."
