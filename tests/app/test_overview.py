"""Overviews, windows, and how much of a large model is drawn at once."""

import dataclasses
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tinkerformer.board import stages
from tinkerformer.board.stages.sheet import Viewport
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices import overview
from tinkerformer.model.matrices.extent import ALL_HEADS, LayerChoice, extent
from tinkerformer.model.matrices.overview import Block
from tinkerformer.model.matrices.values import (
    EDITED,
    OVERRIDDEN,
    REACHED,
    matrix_values,
    with_reach,
)
from tinkerformer.model.scenario import model_names
from tinkerformer.model.scenario.scenario import Scenario

from tests.app.cells import details, operands

W_1 = "encoder.0.feed_forward.W_1"


@pytest.fixture(scope="module")
def paper():
    """Return a scenario of the paper's size, its runner and its pass."""
    scenario, runner = catalog.first(model_names.PAPER), ForwardPassRunner()
    return scenario, runner, runner.trace(scenario)


@pytest.fixture(scope="module")
def wide():
    """Return a small model with one wide part: d_ff 200."""
    scenario = Scenario().with_setting("d_ff", 200)
    return scenario, ForwardPassRunner().trace(scenario)


# -- overviews ---------------------------------------------------------------------------------


def test_each_cell_of_an_overview_is_the_number_of_largest_magnitude():
    values = np.array([[1, -5, 2, 3, 9], [4, 5, -2, -3, 0], [0, -1, -7, 7, -8]], float)
    expected = [[5, 3, 9], [-1, 7, -8]]
    assert overview.pooled(values, Block(2, 2)).tolist() == expected
    masked = np.array([[-np.inf, 3.0, 1.0, 2.0]])
    assert overview.pooled(masked, Block(1, 2)).tolist() == [[-np.inf, 2.0]]


@given(rows=st.integers(1, 40), columns=st.integers(1, 40), seed=st.integers(0, 99))
def test_a_block_is_pooled_independently_of_the_others(rows, columns, seed):
    random = np.random.default_rng(seed)
    frames = random.normal(size=(2, rows, columns))
    block = Block(int(random.integers(1, 9)), int(random.integers(1, 9)))
    pooled = overview.pooled(frames, block)
    for t, i, j in np.ndindex(pooled.shape):
        part = frames[t, i * block.rows :, j * block.columns :][: block.rows, : block.columns]
        assert pooled[t, i, j] == part.flat[np.abs(part).argmax()]


@pytest.mark.parametrize(
    "shape", [(512, 2048), (2048, 512), (60_000, 512), (6, 60_000), (1, 512), (97, 5)]
)
def test_an_overview_has_a_limited_size_and_covers_its_matrix(shape):
    rows, columns = overview.overview_shape(*shape)
    assert rows <= overview.OVERVIEW_ROWS
    assert columns <= overview.OVERVIEW_COLUMNS
    block = overview.block_of(*shape)
    assert (rows - 1) * block.rows < shape[0] <= rows * block.rows
    assert (columns - 1) * block.columns < shape[1] <= columns * block.columns


def test_only_blocks_with_changed_numbers_are_pooled_again():
    random = np.random.default_rng(3)
    values, block = random.normal(size=(50, 70)), Block(8, 4)
    before = overview.pooled(values, block)
    kept, changed = before.copy(), values.copy()
    cells = [(0, 0), (49, 69), (17, 33)]
    for cell, number in zip(cells, (9, -9, 0), strict=True):
        changed[cell] = number
    again = overview.pooled_again(before, changed, block, cells)
    np.testing.assert_array_equal(again, overview.pooled(changed, block))
    np.testing.assert_array_equal(before, kept)


def test_overviews_of_parameters_change_with_edits_and_other_weights(wide):
    overviews, runner = overview.Overviews(), ForwardPassRunner()
    scenario, _ = wide
    for now in (
        scenario,
        scenario.with_value(W_1, (3, 150), 50),
        scenario.with_value(W_1, (3, 150), 0),
        scenario,
        scenario.with_setting("seed", 5).with_value(W_1, (0, 0), -40),
    ):
        trace = runner.trace(now)
        dots = overviews.of(trace[W_1], trace[W_1], overview.block_of(8, 200))
        expected = overview.pooled(trace[W_1].value, overview.block_of(8, 200))
        np.testing.assert_array_equal(dots, expected)


def test_an_overview_marks_the_cells_with_numbers_set_by_hand(wide):
    scenario, _ = wide
    hidden = "encoder.0.feed_forward.hidden"
    edited = scenario.with_value(W_1, (3, 151), 5).with_value(hidden, (2, 9), 5)
    trace = ForwardPassRunner().trace(edited)
    for path, dot, flag in ((W_1, (3, 75), EDITED), (hidden, (2, 4), OVERRIDDEN)):
        _, marks = matrix_values(edited, trace, f"{path}@overview")
        assert marks[dot] == flag
        assert np.count_nonzero(marks) == 1


def test_overviews_and_windows_mark_the_reach_and_its_strength():
    far = np.zeros((8, 200))
    far[4, 101], far[4, 100], far[2, 100] = 1, 0.2, 1e-6
    over = with_reach(None, {W_1: far}, f"{W_1}@overview", (8, 100))
    window = with_reach(None, {W_1: far}, f"{W_1}@2+6,100+8", (6, 8))
    for marks, places in (
        (over, [(4, 50, 7), (2, 50, 1)]),
        (window, [(2, 1, 7), (2, 0, 2), (0, 0, 1)]),
    ):
        assert np.count_nonzero(marks) == len(places)
        for i, j, level in places:
            assert marks[i, j] == REACHED | level << 5


# -- windows -----------------------------------------------------------------------------------


def test_a_window_shows_a_part_of_its_matrix(wide):
    scenario, trace = wide
    values, marks = matrix_values(
        scenario.with_value(W_1, (3, 104), 5),
        ForwardPassRunner().trace(scenario.with_value(W_1, (3, 104), 5)),
        f"{W_1}@1+4,100+8",
    )
    expected = trace[W_1].value[1:5, 100:108].copy()
    expected[2, 4] = 5
    np.testing.assert_array_equal(values, expected)
    assert np.argwhere(marks).tolist() == [[2, 4]]


@given(
    rows=st.integers(1, 3000),
    columns=st.integers(1, 3000),
    place=st.tuples(st.integers(-50, 4000), st.integers(-50, 4000)),
    share=st.tuples(st.floats(0, 1), st.floats(0, 1)),
)
def test_a_window_stays_inside_its_matrix_and_moves_to_a_cell(rows, columns, place, share):
    height, width = overview.window_shape(rows, columns)
    top, left = overview.clamped(place, rows, columns)
    assert 0 <= top <= rows - height
    assert 0 <= left <= columns - width
    cell = int(share[0] * (rows - 1)), int(share[1] * (columns - 1))
    i, j = overview.holding(place, rows, columns, cell)
    assert i <= cell[0] < i + height
    assert j <= cell[1] < j + width
    assert overview.holding((i, j), rows, columns, cell) == (i, j)


def test_the_likeliest_words_are_sorted():
    random = np.random.default_rng(1)
    rows = random.random((3, 500))
    best = overview.likeliest(rows, 5)
    for row, found in zip(rows, best, strict=True):
        assert found.tolist() == np.argsort(-row)[:5].tolist()
    assert overview.likeliest(rows[:, :2]).shape == (3, 2)


# -- the manifest of a large model -------------------------------------------------------------


def test_the_sandbox_is_drawn_as_a_whole():
    scenario = Scenario().with_setting("encoder_layers", 2).with_setting("decoder_layers", 2)
    trace = ForwardPassRunner().trace(scenario)
    manifest = stages.manifest(scenario, trace, 1, Viewport(LayerChoice(1, 1, 1)))
    assert manifest["choices"] == []
    assert not [m for m in manifest["matrices"] if "@" in m["path"]]
    assert extent(scenario.config, trace, LayerChoice()).shows("encoder.1.self_attn.head.1.q")


def test_the_papers_model_lists_one_layer_and_one_head(paper):
    scenario, _, trace = paper
    manifest = stages.manifest(scenario, trace, 1, Viewport(LayerChoice(2, 5, 7)))
    assert len(json.dumps(manifest)) < 300_000
    ids = [stage["id"] for stage in manifest["stages"]]
    assert [i for i in ids if i.startswith("encoder.")] == [
        "encoder.2.self_attn",
        "encoder.2.feed_forward",
    ]
    heads = {m["head"] for m in manifest["matrices"]} - {None}
    assert heads == {7}
    assert [(c["name"], c["count"], c["chosen"]) for c in manifest["choices"]] == [
        ("encoder", 6, 2),
        ("decoder", 6, 5),
        ("head", 8, 7),
    ]
    everyone = stages.manifest(scenario, trace, 1, Viewport(LayerChoice(head=ALL_HEADS)))
    assert {m["head"] for m in everyone["matrices"]} - {None} == set(range(8))
    assert len(json.dumps(everyone)) < 460_000


def test_the_input_of_a_layer_is_the_output_of_the_layer_before(paper):
    scenario, _, trace = paper
    manifest = stages.manifest(scenario, trace, 1, Viewport(LayerChoice(encoder=3)))
    stage = next(s for s in manifest["stages"] if s["id"] == "encoder.3.self_attn")
    first = manifest["matrices"][stage["rows"][0]["items"][0]["matrix"]]
    assert first["origin"][0] == "encoder.2.feed_forward.norm"


@pytest.mark.parametrize("make", [stages.manifest, stages.attention.manifest])
def test_entries_have_the_size_of_the_data_sent(paper, make):
    scenario, _, trace = paper
    where = {W_1: (500, 2040), "source.W_e": (0, 100)}
    args = (None,) if make is stages.attention.manifest else ()
    manifest = make(scenario, trace, 1, *args, Viewport(LayerChoice(), where))
    for entry in manifest["matrices"]:
        if entry["path"] == stages.explore.SELECTED:
            continue
        values, _ = matrix_values(scenario, trace, entry["path"])
        assert values.shape == (entry["rows"], entry["cols"]), entry["path"]
        assert not overview.is_large(*values.shape) or "block" in entry
        if "overview" in entry:
            assert values.shape == tuple(len(axis["labels"]) for axis in entry["axes"])
    if make is stages.manifest:
        window = next(
            m for m in manifest["matrices"] if m.get("origin", [""])[0] == W_1 and "overview" in m
        )
        assert window["origin"] == (W_1, 500, 2040)
        assert window["axes"][0]["labels"][0] == "d500"
        assert window["axes"][1]["labels"][-1] == "f2047"


def test_for_large_vocabularies_the_likeliest_words_are_stated():
    words = tuple(f"w{k}" for k in range(300))
    scenario = dataclasses.replace(Scenario(), answers=words)
    trace = ForwardPassRunner().trace(scenario)
    manifest = stages.manifest(scenario, trace, 1)
    entry = manifest["matrices"][manifest["likeliest"]]
    assert manifest["likeliest"] in manifest["pinned"]
    values, _ = matrix_values(scenario, trace, entry["path"])
    whole = trace["output.probabilities"].value
    np.testing.assert_array_equal(values, -np.sort(-whole, axis=-1)[:, : overview.LIKELIEST])


def test_a_path_chooses_its_layer_and_head():
    look = LayerChoice(0, 1, 2)
    assert look.toward("encoder.4.self_attn.head.6.q") == LayerChoice(4, 1, 6)
    assert look.toward("decoder.3.cross_attn") == LayerChoice(0, 3, 2)
    assert look._replace(head=ALL_HEADS).toward("encoder.0.self_attn.head.6.q").head == ALL_HEADS
    assert look.toward("output.logits") == look
    with pytest.raises(ValueError, match="choice"):
        look.with_choice("count", 1)


# -- details of a cell -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "encoder.0.feed_forward.hidden",
        "encoder.0.feed_forward.out",
        "encoder.0.feed_forward.norm",
        "output.logits",
    ],
)
def test_a_cell_of_thousands_of_operands_is_explained_briefly(paper, path):
    scenario, runner, trace = paper
    found = details(runner, scenario, path, 1, 5)
    assert len(found["operands"]) <= 40
    assert sum(map(len, found["arithmetic"])) < 1000
    boxes = operands(trace, path, 1, 5)
    assert len(boxes) <= 3
    assert max((b[3] - b[1] + 1) * (b[4] - b[2] + 1) for b in boxes) in (512, 2048)


def test_the_arithmetic_of_a_wide_softmax_has_the_form_of_a_narrow_one():
    words = tuple(f"w{k}" for k in range(2100))
    scenario = dataclasses.replace(Scenario(), answers=words)
    runner = ForwardPassRunner()
    trace = runner.trace(scenario)
    found = details(runner, scenario, "output.probabilities", 1, 3)
    tensor = trace["output.probabilities"]
    whole = tensor.op.explain(tensor, (1, 3))
    assert whole.numbers() in found["arithmetic"][2]
    assert operands(trace, "output.probabilities", 1, 3) == [("output.logits", 1, 0, 1, 2102)]
