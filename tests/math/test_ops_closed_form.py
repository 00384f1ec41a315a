"""Closed-form values of operations, in examples that can be computed by hand."""

import math

import numpy as np
import pytest

from transformer_math import ops


def test_softmax_of_two_scores_has_its_closed_form() -> None:
    """The worked example softmax([112, 96] / 8) = [0.88, 0.12]."""
    weights = ops.softmax(np.array([112.0, 96.0]) / 8)
    np.testing.assert_allclose(weights, [1 / (1 + math.exp(-2)), 1 / (1 + math.exp(2))], rtol=1e-15)
    assert [f"{w:.2f}" for w in weights] == ["0.88", "0.12"]


def test_log_softmax_is_precise_where_the_logarithm_of_softmax_is_not() -> None:
    np.testing.assert_allclose(ops.log_softmax(np.array([0.0, 1000.0])), [-1000, 0])


def test_layer_norm_divides_by_the_biased_deviation() -> None:
    """Row 1, 2, 6: mean 3, squares 4 + 1 + 9 = 14, variance 14 / 3 (not 14 / 2)."""
    gamma, beta = np.array([2.0, 3.0, 5.0]), np.array([0.1, 0.2, 0.3])
    deviation = math.sqrt(14 / 3 + 1e-5)
    expected = [2 * -2 / deviation + 0.1, 3 * -1 / deviation + 0.2, 5 * 3 / deviation + 0.3]
    found = ops.layer_norm(np.array([[1.0, 2.0, 6.0]]), gamma, beta)
    np.testing.assert_allclose(found, [expected], rtol=1e-14)


def test_layer_norm_of_a_sample_divides_by_its_deviation_plus_epsilon() -> None:
    """Row 1, 2, 6: squares 14, variance 14 / 2; ε is added to the root."""
    gamma, beta = np.array([2.0, 3.0, 5.0]), np.array([0.1, 0.2, 0.3])
    divisor = math.sqrt(7) + 0.5
    expected = [2 * -2 / divisor + 0.1, 3 * -1 / divisor + 0.2, 5 * 3 / divisor + 0.3]
    norm = ops.LayerNorm(0.5, is_sample=True)
    x = np.array([[1.0, 2.0, 6.0], [7.0, 7.0, 7.0]])
    found = norm.forward(x, gamma, beta)
    np.testing.assert_allclose(found, [expected, beta], rtol=1e-14)
    assert norm.divisor(x[0]) == pytest.approx(divisor)
    dx, *_ = norm.backward(np.ones((2, 3)), found, x, gamma, beta)
    np.testing.assert_allclose(dx[1], (gamma - gamma.mean()) / 0.5)  # a row of equal numbers


def test_silu_is_x_times_the_logistic() -> None:
    found = ops.silu(np.array([-1e4, -1.0, 0.0, 1.0, 1e4]))
    expected = [0, -1 / (1 + math.e), 0, 1 / (1 + 1 / math.e), 1e4]
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("is_sample", [False, True])
@pytest.mark.parametrize("size", [1e4, 1e17, 1e30, 1e37])
def test_layer_norm_of_large_numbers_in_float32_does_not_overflow(
    size: float, is_sample: bool
) -> None:
    """Value and gradient, compared with float64; a row of equal numbers gives 0."""
    random = np.random.default_rng(3)
    x = random.normal(size=(4, 6)) * size
    x[1] = size
    x[2] *= 1e-30
    gamma, beta, g = random.normal(size=(3, 6))
    norm = ops.LayerNorm(1e-5, is_sample=is_sample)
    inputs = [a.astype(np.float32) for a in (x, gamma, beta)]
    wide = [a.astype(np.float64) for a in inputs]
    with np.errstate(all="raise", under="ignore"):
        found, expected = norm.forward(*inputs), norm.forward(*wide)
        np.testing.assert_allclose(np.delete(found, 1, 0), np.delete(expected, 1, 0), atol=1e-4)
        assert np.isfinite(found).all()
        flow = np.tile(g, (4, 1)).astype(np.float32)
        gradients = norm.backward(flow, found, *inputs)
        rights = norm.backward(flow.astype(np.float64), expected, *wide)
    assert found.dtype == gradients[0].dtype == np.float32
    for one, other in zip(gradients, rights, strict=True):
        for row in (0, 3):
            scale = np.abs(other[row]).max()
            np.testing.assert_allclose(one[row], other[row], atol=1e-3 * scale)
