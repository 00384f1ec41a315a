"""What holds of attention for any numbers: weights are weights, and never NaN."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from transformer_math import attention, masks, ops

SHAPES = hnp.array_shapes(min_dims=1, max_dims=3, max_side=6)
ANY = st.floats(-(2.0**99), 2.0**99, width=32)
OFTEN_HIDDEN = st.one_of(ANY, st.just(-np.inf))


def rows_are_weights(weights: np.ndarray, hidden: np.ndarray) -> None:
    """Each row sums to 1, or to 0 where every key is hidden; a hidden key weighs exactly 0."""
    assert np.isfinite(weights).all()
    assert (weights >= 0).all()
    assert not weights[hidden].any()
    expected = np.where(hidden.all(-1), 0.0, 1.0)
    np.testing.assert_allclose(weights.sum(-1), expected, atol=1e-5)


@given(hnp.arrays(np.float32, SHAPES, elements=OFTEN_HIDDEN))
def test_softmax_rows(scores: np.ndarray) -> None:
    rows_are_weights(ops.softmax(scores), np.isneginf(scores))


@given(hnp.arrays(np.float64, (2, 5), elements=st.floats(-50, 50)), st.floats(-1e3, 1e3))
def test_softmax_does_not_see_a_shift(scores: np.ndarray, shift: float) -> None:
    np.testing.assert_allclose(ops.softmax(scores + shift), ops.softmax(scores), rtol=1e-9)


@given(hnp.arrays(np.float64, (2, 5), elements=st.floats(-50, 50)))
def test_log_softmax_is_its_logarithm(scores: np.ndarray) -> None:
    np.testing.assert_allclose(ops.log_softmax(scores), np.log(ops.softmax(scores)), atol=1e-12)


@given(st.data())
def test_attention_rows_under_any_mask(data: st.DataObject) -> None:
    heads, queries, keys, width = (data.draw(st.integers(1, 5)) for _ in range(4))
    numbers = st.floats(-100, 100, width=32)
    q, k, v = (
        data.draw(hnp.arrays(np.float32, (heads, n, width), elements=numbers))
        for n in (queries, keys, keys)
    )
    hidden = data.draw(hnp.arrays(bool, (heads, queries, keys)))
    mask = masks.from_true_means_masked(hidden)
    context, weights = attention.scaled_dot_product_attention(q, k, v, mask=mask)
    rows_are_weights(weights, hidden)
    # A weighted mean lies between the smallest and the largest value.
    slack = 1e-4 * (1 + np.abs(v).max())
    assert (context <= v.max(-2, keepdims=True).clip(0) + slack).all()
    assert (context >= v.min(-2, keepdims=True).clip(None, 0) - slack).all()


@given(hnp.arrays(np.float64, (3, 7), elements=st.floats(-1e3, 1e3)))
def test_layer_norm_rows_have_mean_zero_and_deviation_one(x: np.ndarray) -> None:
    y = ops.layer_norm(x, np.ones(7), np.zeros(7))
    np.testing.assert_allclose(y.mean(-1), 0, atol=1e-9)
    variance = x.var(-1)
    np.testing.assert_allclose(y.var(-1), variance / (variance + 1e-5), atol=1e-6)


@given(
    hnp.arrays(np.float64, (3, 7), elements=st.floats(-100, 100)),
    st.floats(-100, 100),
    st.floats(0.5, 100),
)
def test_layer_norm_does_not_see_a_shift_or_a_stretch(
    x: np.ndarray, shift: float, stretch: float
) -> None:
    one, zero = np.ones(7), np.zeros(7)
    plain = ops.layer_norm(x, one, zero, epsilon=1e-300)
    if x.var(-1).min() > 1e-6:
        moved = ops.layer_norm(x * stretch + shift, one, zero, epsilon=1e-300)
        np.testing.assert_allclose(moved, plain, atol=1e-6)
