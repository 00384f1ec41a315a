"""With many rows, sums are computed in another way; each row must have the same result as alone."""

import numpy as np
import pytest

from transformer_math import ops
from transformer_math.ops.attention import ATTENTION_SCORES, WEIGHTED_SUM
from transformer_math.ops.base import (
    MAX_CACHED_ONES,
    MAX_CELLS_FOR_DOT,
    MAX_SHORT_ROW,
    row_sums,
    spread_row_sums,
)
from transformer_math.ops.embedding import MAX_ONE_HOT, sum_by_id
from transformer_math.ops.layer_norm import layer_norm
from transformer_math.ops.loss import token_losses
from transformer_math.ops.softmax import softmax

WIDTHS = [1, 7, MAX_SHORT_ROW, MAX_SHORT_ROW + 1, 40]


def many(width: int, dtype: type = np.float64) -> np.ndarray:
    x = np.random.default_rng(width).normal(3, 2, (4, 300, width)).astype(dtype)
    assert x.size > MAX_CELLS_FOR_DOT
    return x


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("factor", [1.0, 0.3])
def test_sums_of_many_rows_equal_those_of_each_row(width: int, factor: float) -> None:
    x = many(width)
    expected = x.sum(-1, keepdims=True)
    np.testing.assert_allclose(row_sums(x), expected, rtol=1e-13)
    spread = spread_row_sums(x, factor)
    assert spread.shape == (4, 300, width if width <= MAX_SHORT_ROW else 1)
    np.testing.assert_allclose(spread, np.broadcast_to(factor * expected, spread.shape))
    few = spread_row_sums(x[0, :2], factor)
    assert few.shape == (2, spread.shape[-1])
    expected = np.broadcast_to(factor * expected[0, :2], few.shape)
    np.testing.assert_allclose(few, expected, rtol=1e-13)


@pytest.mark.parametrize("factor", [1.0, 0.3])
def test_sums_of_very_long_rows_are_precise(factor: float) -> None:
    x = np.random.default_rng(0).normal(3, 2, (2, 3, MAX_CACHED_ONES + 1))
    for rows in (x, x[0]):
        expected = factor * rows.sum(-1, keepdims=True)
        np.testing.assert_allclose(row_sums(rows, factor), expected, rtol=1e-12)
        np.testing.assert_allclose(softmax(rows).sum(-1), 1, rtol=1e-12)


@pytest.mark.parametrize("width", WIDTHS)
def test_softmax_and_layer_norm_of_many_rows_equal_those_of_each_row(width: int) -> None:
    x, g = many(width), many(width)[::-1]
    gamma, beta = np.linspace(0.5, 2, width), np.linspace(-1, 1, width)
    norm = ops.LayerNorm(1e-5)
    for op, values in ((ops.SOFTMAX, (x,)), (norm, (x, gamma, beta))):
        y = op.forward(*values)
        dx = op.backward(g, y, *values)[0]
        for i, n in ((0, 0), (3, 299), (2, 151)):
            alone = (x[i, n : n + 1], *values[1:])
            y_alone = op.forward(*alone)
            np.testing.assert_allclose(y[i, n : n + 1], y_alone, rtol=1e-12, atol=1e-13)
            dx_alone = op.backward(g[i, n : n + 1], y_alone, *alone)[0]
            np.testing.assert_allclose(dx[i, n : n + 1], dx_alone, rtol=1e-9, atol=1e-12)


def test_rows_of_equal_numbers_and_masked_rows_have_their_usual_results() -> None:
    x = np.full((300, 8), 7.0, np.float32)
    np.testing.assert_array_equal(layer_norm(x, np.ones(8, np.float32)), np.zeros((300, 8)))
    x[5] = -np.inf
    x[6, :3] = -np.inf
    weights = softmax(x)
    assert not weights[5].any()
    assert not weights[6, :3].any()
    np.testing.assert_allclose(weights[6, 3:], 0.2, rtol=1e-6)


@pytest.mark.parametrize("size", [2, MAX_ONE_HOT, MAX_ONE_HOT + 1, 300])
def test_rows_are_summed_by_their_ids(size: int) -> None:
    random = np.random.default_rng(size)
    ids, rows = random.integers(0, size, 500), random.normal(size=(500, 3))
    expected = np.zeros((size, 3))
    np.add.at(expected, ids, rows)
    np.testing.assert_allclose(sum_by_id(ids, rows, size), expected, atol=1e-12)


def test_products_of_heads_are_stored_by_position() -> None:
    """The numbers are the same; heads of one position are adjacent in memory."""
    random = np.random.default_rng(0)
    q, k = random.normal(size=(2, 3, 5, 4)), random.normal(size=(2, 3, 7, 4))
    a, v = random.normal(size=(2, 3, 5, 7)), random.normal(size=(2, 3, 7, 6))
    scores, context = ATTENTION_SCORES.forward(q, k), WEIGHTED_SUM.forward(a, v)
    for found, expected in (
        (scores, np.einsum("bhnk,bhmk->bhnm", q, k)),
        (context, np.einsum("bhnm,bhmv->bhnv", a, v)),
        (ATTENTION_SCORES.backward(a, scores, q, k)[0], np.einsum("bhnm,bhmk->bhnk", a, k)),
        (ATTENTION_SCORES.backward(a, scores, q, k)[1], np.einsum("bhnm,bhnk->bhmk", a, q)),
        (
            WEIGHTED_SUM.backward(context, context, a, v)[1],
            np.einsum("bhnm,bhnv->bhmv", a, context),
        ),
    ):
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-13)
    assert context.swapaxes(1, 2).flags.c_contiguous


def test_each_of_many_losses_is_that_of_its_own_label() -> None:
    logits = many(9)
    labels = np.random.default_rng(1).integers(0, 9, (4, 300))
    found = token_losses(logits, labels)
    for i, n in ((0, 0), (1, 17), (3, 299)):
        row = logits[i, n]
        expected = np.log(np.exp(row).sum()) - row[labels[i, n]]
        assert found[i, n] == pytest.approx(expected, rel=1e-12)
