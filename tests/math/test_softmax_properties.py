import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from transformer_math import attention, masks, ops

SHAPES = hnp.array_shapes(min_dims=1, max_dims=3, max_side=6)
ANY = st.floats(-(2.0**99), 2.0**99, width=32)
OFTEN_HIDDEN = st.one_of(ANY, st.just(-np.inf))


def rows_are_weights(weights: np.ndarray, hidden: np.ndarray) -> None:
    """Check that each row sums to 1, or to 0 if all keys are hidden; a hidden key has weight 0."""
    assert np.isfinite(weights).all()
    assert (weights >= 0).all()
    assert not weights[hidden].any()
    expected = np.where(hidden.all(-1), 0.0, 1.0)
    np.testing.assert_allclose(weights.sum(-1), expected, atol=1e-5)


@given(hnp.arrays(np.float32, SHAPES, elements=OFTEN_HIDDEN))
def test_rows_of_a_softmax_are_weights(scores: np.ndarray) -> None:
    rows_are_weights(ops.softmax(scores), np.isneginf(scores))


@given(st.data())
def test_rows_of_attention_under_any_mask_are_weights(data: st.DataObject) -> None:
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
    # A weighted mean is between the smallest and the largest value.
    slack = 1e-4 * (1 + np.abs(v).max())
    assert (context <= v.max(-2, keepdims=True).clip(0) + slack).all()
    assert (context >= v.min(-2, keepdims=True).clip(None, 0) - slack).all()
