import numpy as np
import pytest
from tinkerformer.board import stages
from tinkerformer.board.stages.sheet import Viewport
from tinkerformer.board.view import ExploreView
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.address import CellAddress
from tinkerformer.model.matrices.extent import ALL_TOKENS, LayerChoice, extent
from tinkerformer.model.matrices.oscillation import Oscillation, OscillationFrames
from tinkerformer.model.matrices.reader import MatrixReader
from tinkerformer.model.matrices.values import ScenarioTrace
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.state import AppState

from tests.app.cells import cell_at

TRAINING = Scenario().with_training(True).with_setting("dropout.activation", 0.5)
AT = "encoder.0.feed_forward."


def laid_out(scenario, **choice):
    trace = ForwardPassRunner().trace(scenario)
    return trace, stages.manifest(scenario, trace, 1, Viewport(LayerChoice(**choice)))


def of_stage(manifest, name):
    stage = next(stage for stage in manifest["stages"] if stage["id"] == name)
    items = [item for row in stage["rows"] for item in row["items"]]
    return stage, [manifest["matrices"][item["matrix"]] for item in items if "matrix" in item]


@pytest.mark.parametrize("scenario", [Scenario(), TRAINING, Scenario().with_setting("norm", "pre")])
def test_every_matrix_with_a_row_for_each_token_shows_the_row_of_the_chosen_token(scenario):
    trace, manifest = laid_out(scenario, encoder_token=4)
    stage, shown = of_stage(manifest, "encoder.0.feed_forward")
    assert (stage["tokens"]["chosen"], stage["tokens"]["name"]) == (4, "encoder_token")
    reader = MatrixReader(ScenarioTrace(scenario, trace))
    rows = {}
    for entry in shown:
        path, row, column = entry.get("origin", (entry["path"], 0, 0))
        tensor = trace[path]
        if tensor.dims[0] != "position":
            assert "origin" not in entry, "a matrix of weights is whole"
            continue
        assert (entry["rows"], row, column) == (1, 4, 0), path
        assert entry["axes"][0]["names"] == ["the (position 4, id 0)"]
        rows[path.rpartition(".")[2]] = reader.read(entry["path"]).values
        np.testing.assert_array_equal(rows[path.rpartition(".")[2]][0], tensor.value[4])
    assert {"norm", "hidden", "activation", "residual"} <= set(rows)
    assert ("activation_dropout" in rows) == scenario.training
    assert {AT + "W_1", AT + "W_2"} <= {entry["path"] for entry in shown}


def test_the_row_is_computed_from_the_row_before_and_the_matrices_beside_it():
    trace, manifest = laid_out(Scenario(), encoder_token=1)
    _, shown = of_stage(manifest, "encoder.0.feed_forward")
    x, weights, bias, hidden = (
        MatrixReader(ScenarioTrace(Scenario(), trace)).read(entry["path"]).values
        for entry in shown[:4]
    )
    np.testing.assert_allclose(x @ weights + bias, hidden, atol=1e-6)


def test_at_first_and_for_a_token_beyond_the_text_all_rows_are_shown():
    for choice in ({}, {"encoder_token": 6}, {"decoder_token": 1}):
        _, manifest = laid_out(Scenario(), **choice)
        stage, shown = of_stage(manifest, "encoder.0.feed_forward")
        assert stage["tokens"]["chosen"] == ALL_TOKENS
        assert stage["tokens"]["labels"] == ["the", "cat", "sat", "on", "the", "mat"]
        assert not any("origin" in entry for entry in shown)
    others = [s["id"] for s in manifest["stages"] if s["tokens"] is not None]
    assert others == ["encoder.0.feed_forward", "decoder.0.feed_forward"]


def test_each_stack_has_its_own_chosen_token_and_other_stages_show_all():
    _, manifest = laid_out(Scenario(), encoder_token=1, decoder_token=2)
    for entry in of_stage(manifest, "decoder.0.feed_forward")[1]:
        assert entry.get("origin", ("", 2, 0))[1] == 2
    for stage in manifest["stages"]:
        if not stage["id"].endswith("feed_forward"):
            assert not any("origin" in m for m in of_stage(manifest, stage["id"])[1])


def test_the_matrix_of_the_selected_number_is_sent_even_if_its_row_is_not_drawn():
    _, manifest = laid_out(Scenario(), encoder_token=1)
    assert "selected" in manifest
    _, manifest = laid_out(Scenario())
    assert "selected" not in manifest


def test_going_to_another_row_chooses_its_token():
    look = LayerChoice(encoder_token=1)
    assert look.toward(AT + "hidden", 3).encoder_token == 3
    assert look.toward(AT + "W_1", 3) == look
    assert look.toward("encoder.0.self_attn.q", 3) == look
    assert LayerChoice().toward(AT + "hidden", 3) == LayerChoice()
    trace = ForwardPassRunner().trace(Scenario())
    shown = extent(Scenario().config, trace, look)
    assert shown.shows_row(AT + "hidden", 1)
    assert not shown.shows_row(AT + "hidden", 3)
    assert shown.shows_row(AT + "W_1", 3)
    assert shown.shows_row("encoder.0.self_attn.norm", 3)
    state = AppState()
    ExploreView(state).show_view("formulas")
    state.layer_choice = look
    state.selection = CellAddress(AT + "out", 5, 0)
    assert state.layer_choice.encoder_token == 5


def test_the_row_of_the_chosen_token_oscillates():
    scenario = Scenario()
    trace, manifest = laid_out(scenario, encoder_token=1)
    _, shown = of_stage(manifest, "encoder.0.feed_forward")
    (path,) = {e["path"] for e in shown if e["path"].startswith(AT + "out@")}
    reader = MatrixReader(ScenarioTrace(scenario, trace))
    cell = cell_at(trace, AT + "activation", 1, 3)
    frames = OscillationFrames(reader, cell, Oscillation(on=True), {AT + "out", AT + "activation"})
    found = frames.frames(path)
    assert found.shape[1:] == (1, 8)
    assert np.ptp(found, axis=0).all()


def test_a_wide_row_is_drawn_whole():
    scenario = catalog.first("paper-base")
    _, manifest = laid_out(scenario, encoder_token=2)
    _, shown = of_stage(manifest, "encoder.0.feed_forward")
    (hidden,) = (e for e in shown if e["path"].startswith(AT + "hidden@"))
    assert (hidden["rows"], hidden["cols"], hidden["origin"]) == (1, 2048, (AT + "hidden", 2, 0))
    assert "overview" not in hidden


def test_the_attention_view_has_every_row():
    state = AppState()
    state.layer_choice = LayerChoice(encoder_token=1)
    manifest = stages.attention.manifest(
        state.scenario, state.trace, 1, None, Viewport(state.layer_choice)
    )
    assert AT + "hidden" in {m["path"] for m in manifest["matrices"]}
