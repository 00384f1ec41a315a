import numpy as np
import pytest
from tinkerformer.explain.response_curve import MAX_POINTS, likely_answers, reach, response
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.scenario.scenario import Scenario

CELLS = [
    ("source.W_e", (1, 3)),
    ("encoder.0.feed_forward.b_1", (4,)),
    ("decoder.0.cross_attn.head.1.weights", (2, 5)),
    ("output.probabilities", (2, 0)),
]


@pytest.mark.parametrize(("path", "index"), CELLS)
def test_the_points_of_a_curve_equal_separate_passes(path, index):
    runner, scenario = ForwardPassRunner(), Scenario()
    curve = response(runner.trace(scenario), path, index, [(2, 5)], (-10, 10))
    assert len(curve.settings) == MAX_POINTS
    for k in (0, 77, MAX_POINTS - 1):
        trace = runner.trace(scenario.with_value(path, index, float(curve.settings[k])))
        expected = trace["output.probabilities"].value[2, 5]
        assert curve.probabilities[k] == pytest.approx(expected, abs=2e-6)


def test_a_cell_without_effect_has_a_flat_curve():
    trace = ForwardPassRunner().trace(Scenario())
    answers = [(1, 3), (0, 0)]
    curve = response(trace, "source.unprojected.weights", (0, 0), answers, (-1, 1))
    assert (curve.probabilities == trace["output.probabilities"].value[1, 3]).all()
    assert curve.answer == (1, 3)
    assert curve.variation == 0


@pytest.mark.parametrize(("path", "index"), CELLS)
def test_a_curve_shows_the_probability_that_varies_most(path, index):
    trace, scenario = ForwardPassRunner().trace(Scenario()), Scenario()
    answers = likely_answers(trace["output.probabilities"].value, scenario.asked, 1)
    found = response(trace, path, index, answers, (-10, 10))
    alone = [response(trace, path, index, [answer], (-10, 10)) for answer in answers]
    most = max(curve.variation for curve in alone)
    assert found.variation == pytest.approx(most, abs=1e-4)
    now = trace["output.probabilities"].value[found.answer]
    assert found.variation == pytest.approx(np.abs(found.probabilities - now).mean(), abs=1e-4)
    (same,) = [curve for curve in alone if curve.answer == found.answer]
    np.testing.assert_allclose(found.probabilities, same.probabilities, atol=1e-6)


@pytest.mark.parametrize(("path", "index"), CELLS)
def test_the_curve_shows_the_word_in_focus_if_the_cell_affects_it(path, index):
    """Unless another probability varies more than four times as much."""
    trace, scenario = ForwardPassRunner().trace(Scenario()), Scenario()
    answers = likely_answers(trace["output.probabilities"].value, scenario.asked, 0)
    single = [response(trace, path, index, [answer], (-2.0, 2.0)) for answer in answers]
    most = max(each.variation for each in single)
    for each in single:
        found = response(trace, path, index, answers, (-2.0, 2.0), focus=each.answer)
        if each.variation > 0.26 * most:
            assert found.answer == each.answer
        elif each.variation < 0.24 * most:
            assert found.variation == pytest.approx(most, abs=1e-4)


def test_the_candidates_are_right_words_and_likely_words_of_predicted_positions():
    scenario = Scenario()
    probabilities = ForwardPassRunner().trace(scenario)["output.probabilities"].value
    answers = likely_answers(probabilities, scenario.asked, 1)
    assert len(set(answers)) == len(answers)
    assert answers[0] == (1, scenario.labels()[1])
    for row, label in enumerate(scenario.labels()):
        words = [word for at, word in answers if at == row]
        assert {label, int(probabilities[row].argmax())} <= {*words}


def test_padding_has_no_response_curve():
    scenario = catalog.first("phrases")
    padded = scenario.with_tokens("target", [*scenario.target[:3], "<pad>"])
    assert [*padded.asked] == [0, 1, 2]


def test_the_reach_contains_only_later_matrices_and_the_positions_that_see_the_cell():
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
    # A cell does not affect earlier positions, and a masked score affects nothing.
    reached = reach(trace, "target.sum", (2, 0))
    assert reached["output.probabilities"][2].all()
    assert not reached["output.probabilities"][:2].any()
    assert reach(trace, "decoder.0.self_attn.head.0.masked_scores", (0, 2)) == {}


def test_a_dead_unit_that_a_large_step_activates_is_reached():
    trace = ForwardPassRunner().trace(Scenario())
    path = "encoder.0.feed_forward.hidden"
    hidden = trace[path].value
    i, j = np.argwhere((hidden < -0.3) & (hidden > -2.7))[0].tolist()
    assert reach(trace, path, (i, j))["encoder.0.feed_forward.activation"][i, j]


def test_a_certain_word_that_only_a_negative_step_makes_less_certain_is_reached():
    scenario = Scenario().with_value("output.logits", (2, 1), 17)
    trace = ForwardPassRunner().trace(scenario)
    assert trace["output.probabilities"].value[2, 1] > 1 - 1e-5
    assert reach(trace, "output.logits", (2, 1))["output.probabilities"][2, 1]


def test_the_reach_states_how_far_each_cell_moves():
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
