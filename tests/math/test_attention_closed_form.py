"""Attention in examples that can be computed by hand, and shapes that lectures often get wrong."""

import math

import numpy as np
import pytest

from tests.math.tiny import SOURCE, TARGET, tiny
from transformer_math import attention, masks


def test_scores_are_divided_by_the_root_of_the_key_width() -> None:
    """q·k = 2 log 3 over √4 is log 3 against 0: weights 3/4 and 1/4."""
    q = np.array([[2 * math.log(3), 0.0, 0.0, 0.0]])
    k = np.array([[1.0, 0, 0, 0], [0.0, 1, 0, 0]])
    context, weights = attention.scaled_dot_product_attention(q, k, np.array([[8.0], [4.0]]))
    np.testing.assert_allclose(weights, [[0.75, 0.25]], rtol=1e-14)
    np.testing.assert_allclose(context, [[7.0]], rtol=1e-14)


@pytest.mark.parametrize(("scale", "divisor"), [("d_k", 3), ("d_model", 6), ("none", 1)])
def test_the_setting_of_the_scale_divides_the_scores(scale: str, divisor: int) -> None:
    trace = tiny(attention_scale=scale)(SOURCE, TARGET)
    for where in ("encoder.0.self_attn", "decoder.0.cross_attn"):
        raw = trace[f"{where}.raw_scores"].value
        scores = trace[f"{where}.scores"].value
        np.testing.assert_allclose(scores, raw / math.sqrt(divisor), rtol=1e-14)


def test_unprojected_attention_compares_the_embeddings_themselves() -> None:
    """Q = K = V = E, scores over √d_model: the lecture's first step."""
    trace = tiny()(SOURCE, TARGET, with_unprojected=True)
    x = trace["source.sum"].value
    context, weights = attention.scaled_dot_product_attention(x, x, x, scale=6**-0.5)
    np.testing.assert_allclose(trace["source.unprojected.weights"].value, weights, rtol=1e-12)
    np.testing.assert_allclose(trace["source.unprojected.context"].value, context, rtol=1e-12)
    assert trace.downstream("source.unprojected.context") == []


RANDOM = np.random.default_rng(8)
Q, K, V = (RANDOM.normal(size=shape) for shape in ((2, 4, 3, 5), (2, 4, 6, 5), (2, 4, 6, 7)))


def test_is_causal_hides_later_keys_counted_from_the_first() -> None:
    """Also with more keys than queries; with a mask, both hide keys."""
    columns, rows = np.meshgrid(np.arange(6), np.arange(3))
    mask = masks.from_true_means_attend(columns <= rows, float)
    expected, weights = attention.scaled_dot_product_attention(Q, K, V, mask)
    found, own = attention.scaled_dot_product_attention(Q, K, V, is_causal=True)
    np.testing.assert_array_equal(own, weights)
    np.testing.assert_array_equal(found, expected)
    assert not own[..., columns > rows].any()
    hidden = masks.from_true_means_masked(np.arange(6) == 0, float)
    _, both = attention.scaled_dot_product_attention(Q, K, V, hidden, is_causal=True)
    assert not both[..., 0].any()
    assert not both[..., 0, :].any()


def test_heads_of_keys_are_shared_by_groups_of_queries() -> None:
    few = K[:, :2], V[:, :2]
    found, weights = attention.scaled_dot_product_attention(Q, *few, enable_gqa=True)
    for head in range(4):
        k, v = (x[:, head // 2] for x in few)
        context, own = attention.scaled_dot_product_attention(Q[:, head], k, v)
        np.testing.assert_allclose(found[:, head], context, rtol=1e-12)
        np.testing.assert_allclose(weights[:, head], own, rtol=1e-12)
    for k, v in ((K[:, :3], V[:, :3]), (K[0, 0], V[0, 0])):
        with pytest.raises(ValueError, match="the third axis from the end counts heads"):
            attention.scaled_dot_product_attention(Q, k, v, enable_gqa=True)


def test_softcap_bounds_the_scores_before_the_mask() -> None:
    mask = np.zeros((3, 6))
    mask[:, 4] = -np.inf
    _, weights = attention.scaled_dot_product_attention(100 * Q, K, V, mask, softcap=2.0)
    capped = 2 * np.tanh(100 * Q @ K.swapaxes(-1, -2) / math.sqrt(5) / 2)
    unmasked = np.exp(capped) * (np.arange(6) != 4)
    np.testing.assert_allclose(weights, unmasked / unmasked.sum(-1, keepdims=True), rtol=1e-12)
    plain = attention.scaled_dot_product_attention(Q, K, V)[1]
    for softcap in (None, 0, 1e9):
        found = attention.scaled_dot_product_attention(Q, K, V, softcap=softcap)[1]
        np.testing.assert_allclose(found, plain, rtol=1e-6)
    with pytest.raises(ValueError, match="softcap"):
        attention.scaled_dot_product_attention(Q, K, V, softcap=-1.0)


def test_the_weights_are_optional() -> None:
    context = attention.scaled_dot_product_attention(Q, K, V, return_weights=False)
    np.testing.assert_array_equal(context, attention.scaled_dot_product_attention(Q, K, V)[0])


def test_a_boolean_mask_is_refused() -> None:
    with pytest.raises(ValueError, match="from_true_means_attend"):
        attention.scaled_dot_product_attention(Q, K, V, np.ones((3, 6), bool))
