import numpy as np
import pytest
from tinkerformer.board.board import Board
from tinkerformer.board.oscillation import OscillationPlayer
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.address import CellAddress
from tinkerformer.model.matrices.oscillation import (
    FRAMES_A_SECOND,
    MAX_FRAMES,
    Oscillation,
    OscillationFrames,
    frame_count,
    swing_values,
)
from tinkerformer.model.matrices.reader import MatrixReader
from tinkerformer.model.matrices.resolved_cell import resolve
from tinkerformer.model.matrices.values import ScenarioTrace
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.state import AppState
from tinkerformer.transport.runtime.page_session import PageSession

from tests.app.cells import cell_at

CELL = CellAddress("source.W_e", 1, 3)
OUTPUT = "output.probabilities"


def reader_of(scenario: Scenario) -> MatrixReader:
    runner = ForwardPassRunner()
    return MatrixReader(ScenarioTrace(scenario, runner.with_gradients(scenario)))


def oscillation(scenario: Scenario, **changes) -> tuple[MatrixReader, OscillationFrames]:
    reader = reader_of(scenario)
    drawn = set(reader.shown.trace.tensors)
    return reader, OscillationFrames(
        reader, resolve(reader.shown.trace, CELL), Oscillation(**changes), drawn
    )


def test_values_are_half_a_sine_around_the_number_with_one_frame_for_each_refresh():
    reader, found = oscillation(Scenario(), amplitude=3.0, period=1.0)
    now = reader.shown.trace["source.W_e"].value[1, 3]
    assert len(found.values) == FRAMES_A_SECOND // 2 + 1
    np.testing.assert_allclose(
        found.values, now + 3 * np.sin(np.linspace(-np.pi / 2, np.pi / 2, 31)), atol=1e-6
    )
    assert found.values.dtype == np.float32


@pytest.mark.parametrize("plane", ["value", "gradient"])
def test_every_frame_equals_the_pass_with_the_number_set(plane):
    scenario = Scenario().with_view("plane", plane)
    _, found = oscillation(scenario, amplitude=2.0, period=0.5)
    assert found.has_gradients is (plane == "gradient")
    for t in (0, 7, len(found.values) - 1):
        there = scenario.with_value("source.W_e", (1, 3), float(found.values[t]))
        expected = reader_of(there).read(OUTPUT)
        np.testing.assert_allclose(found.frames(OUTPUT)[t], expected.values, atol=1e-6)
        if plane == "gradient":
            W_o = "encoder.0.self_attn.W_o"
            assert np.ptp(found.frames(W_o), axis=0).max() == 0  # constant, but included
            moved = reader_of(there).read(W_o).gradients
            np.testing.assert_allclose(found.gradients(W_o)[t], moved, atol=1e-5)
        else:
            assert found.frames("encoder.0.self_attn.W_o") is None
            assert found.gradients(OUTPUT) is None


def test_long_periods_have_no_more_frames_than_the_screen_needs():
    trace = ForwardPassRunner().trace(Scenario())
    assert frame_count(trace, "source.W_e", 2, set()) == 61
    assert frame_count(trace, "source.W_e", 20, set()) == MAX_FRAMES
    assert frame_count(trace, "source.W_e", 0.01, set()) == 9


def test_an_attention_weight_oscillates_within_0_and_1():
    trace = ForwardPassRunner().trace(Scenario())
    path = "encoder.0.self_attn.head.0.weights"
    values = swing_values(cell_at(trace, path, 2, 1), 0.5, 61)
    now = trace[path].value[2, 1]
    assert values.min() == 0
    assert values.max() == pytest.approx(now + 0.5)
    assert (np.diff(values) >= 0).all()


@pytest.fixture
def played():
    messages = []
    board = Board()
    board.component.connect(messages.append)
    state = AppState()
    reader = MatrixReader(state.shown)
    board.show({"version": 1, "matrices": [{"path": OUTPUT, "rows": 3, "cols": 8}], "stages": []})
    board.frames.refresh(reader.read)
    board.component.receive({"type": "ready"})
    board.component.receive({"type": "visible", "indices": [0], "version": 1})
    board.component.receive({"type": "ack", "seq": 1})
    return (
        state,
        board,
        OscillationPlayer(state, board.frames, PageSession(), lambda: None),
        reader,
        messages,
    )


def test_the_player_follows_the_state_and_does_not_change_the_scenario(played):
    state, board, player, reader, messages = played
    before = state.scenario
    assert not player.play(reader, {OUTPUT}, lambda _: None)
    state.selection, state.oscillation = CELL, Oscillation(1.0, 2.0, True)
    begun = []
    assert player.play(reader, {OUTPUT}, begun.append)
    assert board.frames.playing
    (orbit,) = [m for m in messages if m["type"] == "orbit"]
    assert (orbit["path"], orbit["i"], orbit["j"], orbit["period"]) == (*CELL, 2.0)
    assert (
        orbit["values"]
        == OscillationFrames(
            reader, resolve(reader.shown.trace, CELL), state.oscillation, set()
        ).values.tolist()
    )
    (sweep,) = begun
    assert "sweep" in sweep[OUTPUT].dims
    assert state.scenario is before


def test_stopping_the_player_returns_whether_it_played(played):
    state, board, player, reader, messages = played
    assert player.stop() is False
    state.selection, state.oscillation = CELL, Oscillation(1.0, 2.0, True)
    player.play(reader, {OUTPUT}, lambda _: None)
    assert player.stop() is True
    assert not board.frames.playing
    assert not state.oscillation.on
    assert [m["type"] for m in messages].count("orbit_end") == 1


def test_nothing_oscillates_without_a_selected_cell(played):
    state, board, player, reader, _ = played
    state.oscillation = Oscillation(on=True)
    assert not player.play(reader, {OUTPUT}, lambda _: None)
    assert not board.frames.playing
