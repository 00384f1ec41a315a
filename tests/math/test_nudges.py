import numpy as np
import pytest

from tests.math.test_single_numbers import passed, second_best, small
from transformer_math.experiments import nudges
from transformer_math.experiments.margins import Margins, Numbers

MODELS = {
    "post-norm": {},
    "tied": {"tie_output": True},
    "with biases": {"attention_bias": True, "output_bias": True},
    "encoder": {"decoder_layers": 0},
}


def numbers(trace, paths, count=300):
    rng = np.random.default_rng(5)
    of = np.sort(rng.integers(0, len(paths), count))
    cells = np.array([rng.integers(0, trace[paths[k]].value.size) for k in of])
    now = [float(trace[paths[k]].value.ravel()[c]) for k, c in zip(of, cells, strict=True)]
    return Numbers(of, cells, np.array(now)), np.array(now) + rng.normal(size=count)


def both(kind, monkeypatch):
    model = small(**MODELS[kind])
    trace = passed(model)
    paths = [path for path in trace if path in model.parameters]
    of, values = numbers(trace, paths)
    wish = second_best(trace)
    at_readers = Margins(wish, trace, paths, (), True)
    shares = sum(each is not None for each in at_readers._nudges)
    monkeypatch.setattr("transformer_math.experiments.margins.nudges", lambda *_: None)
    swept = Margins(wish, trace, paths, (), True)
    return at_readers.at(of, values), swept.at(of, values), shares / len(paths)


@pytest.mark.parametrize("kind", MODELS)
def test_nudged_losses_equal_those_of_a_sweep(kind, monkeypatch):
    found, expected, share = both(kind, monkeypatch)
    assert share > 0.4
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)


def test_a_parameter_with_an_overridden_reader_is_swept():
    model = small()
    overrides = {"decoder.0.feed_forward.hidden": {(0, 0): 1.0}}
    trace = passed(model, overrides=overrides)
    assert nudges.nudges(trace, "decoder.0.feed_forward.W_1") is None
    assert nudges.nudges(trace, "decoder.0.feed_forward.W_2") is not None
