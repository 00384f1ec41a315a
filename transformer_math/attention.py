"""Attention (Section 3.2).

Shapes: n queries, m keys and values, h heads, d d_model, k d_k, v d_v; … any leading axes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from transformer_math.graph.scope import ForwardPass, Scope, Traced, Value
from transformer_math.graph.trace import Trace
from transformer_math.ops import (
    ATTENTION_MASK,
    ATTENTION_SCORES,
    CONCAT_HEADS,
    IDENTITY,
    KEY_PADDING_MASK,
    LINEAR,
    PROJECT_HEADS,
    SOFTMAX,
    WEIGHTED_SUM,
    Op,
    Scale,
    softmax,
)


def attend(
    run: Scope, q: Value, k: Value, v: Value, scale: Op, mask: Masking, dropout: float
) -> Value:
    """softmax(Q Kᵀ / √d_k + M) V, equation 1: (…, n, k), (…, m, k), (…, m, v) -> (…, n, v)."""
    raw_scores = run("raw_scores", ATTENTION_SCORES, q, k)
    scores = run("scores", scale, raw_scores)
    masked_scores = run("masked_scores", mask.op, scores, *mask.masks)
    weights = run("weights", SOFTMAX, masked_scores)
    if dropout:
        weights = run.dropout("weights_dropout", weights, dropout)
    return run("context", WEIGHTED_SUM, weights, v)


def multi_head(
    run: Scope,
    query: Value,
    key: Value,
    value: Value,
    scale: Op,
    mask: Masking,
    dropout: float = 0.0,
) -> Value:
    """Concat(head_1 … head_h) W^O with head_i = Attention(Q W_i^Q, K W_i^K, V W_i^V).

    Section 3.2.2: query (…, n, d), key and value (…, m, d) -> (…, n, d).
    """
    q = run("q", PROJECT_HEADS, query, *parameters(run, "W_q", "b_q"))
    k = run("k", PROJECT_HEADS, key, *parameters(run, "W_k", "b_k"))
    v = run("v", PROJECT_HEADS, value, *parameters(run, "W_v", "b_v"))
    context = attend(run, q, k, v, scale, mask, dropout)
    concat = run("concat", CONCAT_HEADS, context)
    return run("out", LINEAR, concat, *parameters(run, "W_o", "b_o"))


def parameters(run: Scope, weight: str, bias: str) -> tuple[Value, ...]:
    """A weight, and its bias where the model has one."""
    if run.has(bias):
        return run.parameter(weight), run.parameter(bias)
    return (run.parameter(weight),)


class Masking:
    """How an attention masks its scores: by pairs, by keys, or not at all."""

    __slots__ = ("op", "masks")

    def __init__(self, op: Op, *masks: Value) -> None:
        self.op = op
        self.masks = masks

    @classmethod
    def pairs(cls, mask: Value | None) -> Masking:
        """A mask (…, n, m) for each query and key."""
        return UNMASKED if mask is None else cls(ATTENTION_MASK, mask)

    @classmethod
    def keys(cls, mask: Value | None) -> Masking:
        """A mask (…, m) for each key, alike for all queries."""
        return UNMASKED if mask is None else cls(KEY_PADDING_MASK, mask)


UNMASKED = Masking(IDENTITY)


# -- the same as functions of arrays ----------------------------------------------------------


def scaled_dot_product_attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    mask: ArrayLike | None = None,
    scale: float | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Equation 1 for arrays: q (…, n, k), k (…, m, k), v (…, m, v), additive mask (…, n, m).

    ``scale`` multiplies the scores, 1/√d_k unless given. Returns the context (…, n, v) and the
    weights (…, n, m); a query whose keys are all masked gets zeros.
    """
    q, k, v = np.asarray(q), np.asarray(k), np.asarray(v)
    scores = ATTENTION_SCORES.forward(q, k) * (
        1 / math.sqrt(q.shape[-1]) if scale is None else scale
    )
    if mask is not None:
        scores = scores + np.asarray(mask, scores.dtype)
    weights = softmax(scores)
    return WEIGHTED_SUM.forward(weights, v), weights


def multi_head_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    parameters: Mapping[str, np.ndarray],
    mask: ArrayLike | None = None,
) -> Trace:
    """Multi-head attention for arrays, all steps kept: ``trace["out"]``, ``trace["weights"]`` …

    query (…, n, d), key (…, m, d) and value (…, m, d) may differ in width; ``parameters`` holds
    W_q, W_k (h, ·, k), W_v (h, ·, v), W_o (h·v, d) and, if wished, b_q, b_k (h, k), b_v (h, v)
    and b_o (d,). The additive mask is (…, n, m).
    """
    batch = np.ndim(query) - 2
    run = Traced(ForwardPass(parameters, {}, batch=batch), kind="self_attn")
    given = Traced(run.run, kind="multi_head")
    masking = Masking.pairs(None if mask is None else given.given("mask", np.asarray(mask)))
    q, k, v = (
        given.given(name, np.asarray(x))
        for name, x in (("query", query), ("key", key), ("value", value))
    )
    multi_head(run, q, k, v, Scale(parameters["W_q"].shape[-1], r"d_{k}"), masking)
    return run.run.trace


def unprojected(run: Scope, x: Value, d_model: int, mask: Masking) -> Value:
    """Attention before there are heads: Q = K = V = E, scores over √d_model.

    A deviation from the paper, kept as a first step to it: every token is compared with every
    other by their embeddings alone, and nothing is learned. x (…, n, d) -> (…, n, d).
    """
    return attend(run, x, x, x, Scale(d_model, r"d_{\mathrm{model}}"), mask, 0.0)
