import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.overview import block_of, pooled
from tinkerformer.model.matrices.reader import MatrixReader
from tinkerformer.model.matrices.values import DROPPED, EDITED, OVERRIDDEN, REACHED, ScenarioTrace
from tinkerformer.model.scenario.scenario import Scenario

from tests.app.cells import cell_at

WEIGHTS = "encoder.0.self_attn.head.1.weights"
W_1 = "encoder.0.feed_forward.W_1"


def passed(scenario: Scenario) -> ScenarioTrace:
    runner = ForwardPassRunner()
    is_gradient = scenario.view.plane == "gradient"
    trace = runner.with_gradients(scenario) if is_gradient else runner.trace(scenario)
    return ScenarioTrace(scenario, trace)


def changed() -> Scenario:
    return Scenario().with_value("source.W_e", (1, 2), 3).with_value(WEIGHTS, (2, 1), 0.5)


def test_values_are_those_of_the_pass_and_every_edited_cell_has_a_mark():
    shown = passed(changed())
    reader = MatrixReader(shown)
    edited = reader.read("source.W_e")
    np.testing.assert_array_equal(edited.values, shown.trace["source.W_e"].value)
    assert edited.marks[1, 2] == EDITED
    assert edited.marks.sum() == EDITED
    assert edited.gradients is None
    assert reader.read(WEIGHTS).marks[2, 1] == OVERRIDDEN
    assert reader.read("source.embedding").marks is None


def test_a_cell_can_be_marked_as_dropped_and_as_reached():
    shown = passed(Scenario().with_training(True))
    reached = {"source.dropout": np.ones(shown.trace["source.dropout"].shape, bool)}
    marks = MatrixReader(shown, reached=reached).read("source.dropout").marks
    kept = shown.trace["source.dropout"].op.kept
    np.testing.assert_array_equal(marks & REACHED, REACHED)
    np.testing.assert_array_equal(marks & DROPPED, np.where(kept, 0, DROPPED))
    assert not kept.all()


@given(
    st.sampled_from(["value", "gradient"]),
    st.sampled_from([W_1, "source.W_e", WEIGHTS, "encoder.0.self_attn.head.1.W_q"]),
    st.sampled_from([(), ((W_1, 0, 0, 0, 0),)]),
    st.booleans(),
)
@settings(max_examples=12)
def test_a_matrix_that_is_reported_as_unchanged_has_the_same_values(plane, path, covered, restores):
    runner = ForwardPassRunner()
    before = Scenario().with_view("plane", plane)
    now = before.with_value(path, (0, 0), 0.25)
    if restores:
        before, now = now, before
    first = MatrixReader(ScenarioTrace(before, runner.with_gradients(before)))
    second = MatrixReader(ScenarioTrace(now, runner.with_gradients(now)), covered=covered)
    is_unchanged = second.unchanged_since(first)
    whole = [p for p, tensor in second.shown.trace.tensors.items() if len(tensor.shape) < 3]
    for each in ["encoder.0.self_attn.head.0.W_q", f"{W_1}@overview", *whole]:
        if is_unchanged(each):
            np.testing.assert_array_equal(first.read(each).values, second.read(each).values)
            assert first.read(each).marks is None
            assert second.read(each).marks is None
    assert not is_unchanged(path)
    assert is_unchanged("target.W_e") == (plane == "value" and not covered)


@pytest.mark.parametrize(
    "path", ["decoder.9.self_attn.head.0.q", "nothing", "source.W_e@0+1;0+1", "source.W_e@"]
)
def test_a_matrix_that_the_pass_lacks_is_read_as_none(path):
    reader = MatrixReader(passed(Scenario()), passed(Scenario()))
    assert reader.read(path) is None
    assert reader.read_baseline(path) is None


def test_gradients_are_read_with_the_values_where_they_are_shown():
    shown = passed(Scenario().with_view("plane", "gradient"))
    found = MatrixReader(shown).read(f"{WEIGHTS}@1")
    np.testing.assert_array_equal(found.values, shown.trace[WEIGHTS].value[1:2])
    np.testing.assert_array_equal(found.gradients, shown.trace[WEIGHTS].grad[1:2])


def test_the_values_of_the_baseline_do_not_depend_on_the_plane():
    pinned = passed(Scenario())
    for plane in ("value", "gradient", "change"):
        reader = MatrixReader(passed(changed().with_view("plane", plane)), pinned)
        before = reader.read_baseline("source.W_e")
        np.testing.assert_array_equal(before.values, pinned.trace["source.W_e"].value)
        assert before.marks is None
    assert MatrixReader(passed(changed())).read_baseline("source.W_e") is None


def test_in_the_plane_of_changes_the_values_are_sent_and_overviews_have_the_largest_changes():
    paper = dataclasses.replace(catalog.first("paper-base"))
    edited = paper.with_value(W_1, (3, 150), 5).with_view("plane", "change")
    shown, pinned = passed(edited), passed(paper)
    reader = MatrixReader(shown, pinned)
    window = reader.read(f"{W_1}@0+10,144+8")
    np.testing.assert_array_equal(window.values, shown.trace[W_1].value[0:10, 144:152])
    overview = reader.read(f"{W_1}@overview")
    change = shown.trace[W_1].value - pinned.trace[W_1].value
    np.testing.assert_array_equal(overview.values, pooled(change, block_of(*change.shape)))
    assert np.count_nonzero(overview.values) == 1
    assert not reader.read_baseline(f"{W_1}@overview").values.any()
    unpinned = MatrixReader(shown).read(f"{W_1}@overview").values
    values = shown.trace[W_1].value
    np.testing.assert_array_equal(unpinned, pooled(values, block_of(*values.shape)))


def test_an_overview_without_a_matrix_to_compare_with_is_empty():
    paper = catalog.first("paper-base").with_view("plane", "change")
    reader = MatrixReader(passed(paper), passed(Scenario()))
    assert np.isnan(reader.read(f"{W_1}@overview").values).all()
    cell = cell_at(reader.shown.trace, W_1, 3, 150)
    sweep = reader.sweep(cell, [0.0, 1.0], {W_1})
    assert np.isnan(reader.frames(sweep, f"{W_1}@overview")).all()
