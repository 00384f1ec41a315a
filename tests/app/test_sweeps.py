import numpy as np
import pytest
from tinkerformer.explain.response_curve import ROUNDING, reach, response
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices import sweeps
from tinkerformer.model.matrices.sweeps import CellSweep
from tinkerformer.model.matrices.values import ScenarioTrace, matrix_frames, matrix_values
from tinkerformer.model.scenario.scenario import Scenario

from tests.app.cells import cell_at
from transformer_math import sweep

W_1 = "encoder.0.feed_forward.W_1"
SETTINGS = np.linspace(-3, 3, 7).tolist()


@pytest.fixture
def small_pieces(monkeypatch):
    """Limit the memory to two settings at once, as for a large model."""
    scenario = Scenario().with_setting("d_ff", 200)
    trace = ForwardPassRunner().trace(scenario)

    def limit(path):
        monkeypatch.setattr(sweeps, "PIECE_BYTES", 2 * sweeps.bytes_a_setting(trace, path))

    return scenario, trace, limit


def test_pieces_have_as_many_settings_as_fit(small_pieces):
    _, trace, limit = small_pieces
    limit(W_1)
    made = list(sweeps.pieces(trace, W_1, (1, 2), SETTINGS))
    assert [len(piece[W_1].value) for piece in made] == [2, 2, 2, 1]


@pytest.mark.parametrize(
    ("path", "index"),
    [
        (W_1, (3, 150)),
        ("source.W_e", (1, 2)),
        ("encoder.0.self_attn.head.1.W_q", (3, 1)),
        ("encoder.0.feed_forward.hidden", (2, 180)),
        ("encoder.0.feed_forward.b_1", (150,)),
    ],
)
def test_the_frames_of_pieces_equal_those_of_one_long_sweep(small_pieces, path, index):
    scenario, trace, limit = small_pieces
    limit(path)
    cell = cell_at(trace, path, *(0, *index)[-2:])
    found = CellSweep(ScenarioTrace(scenario, trace), cell, SETTINGS, set(trace.tensors))
    whole = sweep(trace, path, index, SETTINGS)
    heads = [f"encoder.0.self_attn.head.{k}.{leaf}" for k in (0, 1) for leaf in ("W_q", "q")]
    parts = [f"{W_1}@{part}" for part in ("2+6,146+8", "overview", "overview2x8")]
    parts.append("encoder.0.feed_forward.hidden@overview")
    vector = ["encoder.0.feed_forward.b_1@0+1,149+8", "encoder.0.feed_forward.b_1@overview"]
    for at in ["output.probabilities", "source.sum", *heads, *parts, *vector]:
        expected, frames = matrix_frames(whole, at), found.frames(at)
        if frames is None:
            assert expected is None or (expected == expected[0]).all(), at
        else:
            np.testing.assert_allclose(frames, expected, rtol=1e-5, atol=1e-6, err_msg=at)


def test_only_frames_of_drawn_matrices_are_kept(small_pieces):
    scenario, trace, _ = small_pieces
    found = CellSweep(
        ScenarioTrace(scenario, trace),
        cell_at(trace, W_1, 3, 150),
        SETTINGS,
        {"output.probabilities"},
    )
    kept = [path for path, tensor in found.trace.tensors.items() if "sweep" in tensor.dims]
    assert kept == ["output.probabilities"]


def test_curve_and_reach_do_not_depend_on_the_pieces(small_pieces):
    _, trace, limit = small_pieces
    path, index = W_1, (3, 150)
    curve = response(trace, path, index, [(2, 1)], (-5, 5))
    reached = reach(trace, path, index)
    limit(path)
    again = response(trace, path, index, [(2, 1)], (-5, 5))
    np.testing.assert_allclose(again.probabilities, curve.probabilities, rtol=1e-5)
    for stored, hit in reach(trace, path, index).items():
        # Products of other shapes round differently. The reach is the root of a cell's change,
        # which enlarges small differences, so squares are compared.
        np.testing.assert_allclose(hit**2, reached[stored] ** 2, rtol=1e-5, atol=ROUNDING)


def test_a_large_model_is_computed_at_fewer_points(small_pieces, monkeypatch):
    scenario, trace, _ = small_pieces
    monkeypatch.setattr(sweeps, "CURVE_BYTES", 20 * sweeps.bytes_a_setting(trace, W_1))
    curve = response(trace, W_1, (3, 150), [(2, 1)], (-5, 5))
    assert len(curve.settings) == len(curve.probabilities) == 21
    assert (curve.settings[0], curve.settings[-1]) == (-5, 5)
    middle = scenario.with_value(W_1, (3, 150), float(curve.settings[10]))
    expected, _ = matrix_values(middle, ForwardPassRunner().trace(middle), "output.probabilities")
    assert curve.probabilities[10] == pytest.approx(expected[2, 1], abs=2e-6)
