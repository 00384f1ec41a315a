import numpy as np
import pytest
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.scale import is_share, span
from tinkerformer.model.scenario.scenario import Scenario

WEIGHTS = "encoder.0.self_attn.head.0.weights"


def trace_of(scenario: Scenario):
    return ForwardPassRunner().trace(scenario)


def test_shares_are_the_weights_and_probabilities_of_a_softmax_with_and_without_dropout():
    scenario = Scenario().with_training(True).with_setting("dropout.attention_weights", "0.5")
    trace = trace_of(scenario)
    shares = {path for path, tensor in trace.tensors.items() if is_share(tensor)}
    assert {path.rpartition(".")[2] for path in shares} == {
        "weights",
        "weights_dropout",
        "probabilities",
    }


def test_the_slider_of_a_weight_covers_0_to_1_and_is_extended_to_include_its_number():
    assert span(trace_of(Scenario())[WEIGHTS], (2, 1)) == (0, 1)
    scenario = Scenario().with_value(WEIGHTS, (2, 1), 3.2)
    assert span(trace_of(scenario)[WEIGHTS], (2, 1)) == (0, 5)
    scenario = Scenario().with_value(WEIGHTS, (2, 1), -0.5)
    assert span(trace_of(scenario)[WEIGHTS], (2, 1)) == (-0.5, 1)


@pytest.mark.parametrize("path", ["source.W_e", "output.logits", "decoder.0.final.gamma", WEIGHTS])
def test_every_number_of_the_pass_is_within_the_limits_of_its_slider(path):
    trace = trace_of(Scenario().with_setting("norm", "pre"))
    for at, tensor in trace.tensors.items():
        if tensor.value.dtype.kind != "f" or tensor.value.ndim != 2:
            continue
        index = (0, tensor.shape[1] - 1)
        low, high = span(tensor, index)
        assert np.isfinite([low, high]).all(), at
        assert low < high, at
        value = tensor.value[index]
        assert not np.isfinite(value) or low <= value <= high, at


def test_the_limits_fit_the_matrix_and_stay_while_the_cell_moves():
    path, index = "source.W_e", (1, 3)
    first = trace_of(Scenario())[path]
    original = float(first.value[index])
    ends = span(first, index, original)
    largest = np.abs(first.value).max()
    assert 1.5 * largest <= ends[1] <= 1.5 * largest * 2.5
    assert ends[0] == -ends[1]
    for share in (-1, 0, 0.4, 1):
        moved = Scenario().with_value(path, index, share * ends[1])
        assert span(trace_of(moved)[path], index, original) == ends
    far = Scenario().with_value(path, index, 40)
    assert span(trace_of(far)[path], index, original) == (-50, 50)


def test_the_limits_include_the_whole_oscillation():
    path, index = "source.W_e", (1, 3)
    scenario = Scenario().with_value(path, index, 4.9)
    original = float(trace_of(Scenario())[path].value[index])
    assert span(trace_of(scenario)[path], index, original) == (-5, 5)
    assert span(trace_of(scenario)[path], index, original, swing=2.0) == (-10, 10)


def test_masked_scores_do_not_make_the_limits_infinite():
    trace = trace_of(Scenario())
    low, high = span(trace["decoder.0.self_attn.head.0.masked_scores"], (0, 2))
    assert -1000 < low < 0 < high < 1000
