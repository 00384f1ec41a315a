"""Response curve and reach: what they say is what the passes themselves do."""

import numpy as np
import pytest
from tinkerformer.explain.what_if import MAX_POINTS, reach, response
from tinkerformer.inference.forward_pass import ForwardPassRunner
from tinkerformer.scenario.scenario import Scenario

CELLS = [
    ("source.W_e", (1, 3)),
    ("encoder.0.feed_forward.b_1", (4,)),
    ("decoder.0.cross_attn.head.1.weights", (2, 5)),
    ("output.probabilities", (2, 0)),
]


@pytest.mark.parametrize(("path", "index"), CELLS)
def test_a_curve_is_made_of_passes(path, index):
    runner, scenario = ForwardPassRunner(), Scenario()
    curve = response(runner.trace(scenario), path, index, (2, 5), (-10, 10))
    assert len(curve.settings) == MAX_POINTS
    for k in (0, 77, MAX_POINTS - 1):
        trace = runner.trace(scenario.with_value(path, index, float(curve.settings[k])))
        expected = trace["output.probabilities"].value[2, 5]
        assert curve.probabilities[k] == pytest.approx(expected, abs=2e-6)


def test_a_cell_that_reaches_nothing_has_a_flat_curve():
    trace = ForwardPassRunner().trace(Scenario())
    curve = response(trace, "source.unprojected.weights", (0, 0), (0, 0), (-1, 1))
    assert (curve.probabilities == trace["output.probabilities"].value[0, 0]).all()


def test_reach_is_within_the_graph_and_by_position():
    trace = ForwardPassRunner().trace(Scenario())
    reached = reach(trace, "encoder.0.self_attn.head.0.weights", (2, 1))
    assert set(reached) <= {
        "encoder.0.self_attn.weights",
        *trace.downstream("encoder.0.self_attn.weights"),
    }
    context = reached["encoder.0.self_attn.context"]
    assert context[0, 2].all()
    assert not context[1].any()
    assert not np.delete(context[0], 2, axis=0).any()


def test_the_future_is_out_of_reach():
    trace = ForwardPassRunner().trace(Scenario())
    reached = reach(trace, "target.sum", (2, 0))
    assert reached["output.probabilities"][2].all()
    assert not reached["output.probabilities"][:2].any()


def test_a_masked_score_reaches_nothing_at_all():
    trace = ForwardPassRunner().trace(Scenario())
    assert reach(trace, "decoder.0.self_attn.head.0.masked_scores", (0, 2)) == {}


def test_a_dead_unit_that_a_large_step_wakes_is_reached():
    trace = ForwardPassRunner().trace(Scenario())
    path = "encoder.0.feed_forward.hidden"
    hidden = trace[path].value
    i, j = np.argwhere((hidden < -0.3) & (hidden > -2.7))[0].tolist()
    assert reach(trace, path, (i, j))["encoder.0.feed_forward.activation"][i, j]


def test_a_certain_word_that_only_a_step_down_makes_less_certain_is_reached():
    scenario = Scenario().with_value("output.logits", (2, 1), 17)
    trace = ForwardPassRunner().trace(scenario)
    assert trace["output.probabilities"].value[2, 1] > 1 - 1e-5
    assert reach(trace, "output.logits", (2, 1))["output.probabilities"][2, 1]


def test_reach_says_how_far_each_cell_moves():
    trace = ForwardPassRunner().trace(Scenario())
    path, index = "output.logits", (2, 1)
    reached = reach(trace, path, index)
    moved = [
        ForwardPassRunner().trace(Scenario().with_value(path, index, trace[path].value[index] + d))
        for d in (0.1, -0.1, 3, -3)
    ]
    far = {
        stored: np.max([np.abs(one[stored].value - trace[stored].value) for one in moved], axis=0)
        for stored in reached
    }
    most = max(float(each.max()) for each in far.values())
    for stored, strength in reached.items():
        np.testing.assert_allclose(strength, np.sqrt(far[stored] / most), atol=2e-3)
    assert max(float(each.max()) for each in reached.values()) == 1
