"""Attention (Section 3.2).

Shapes: n queries, m keys and values, h heads, d d_model, k d_k, v d_v; … any leading axes. Comments
at the ends of lines give those of one example.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

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


class Weighting(NamedTuple):
    """How scores become attention weights.

    Attributes:
        scale: what the scores are divided by, as an operation.
        mask: which keys a query may not look at.
        dropout: the chance of dropping a weight, in training.
    """

    scale: Op
    mask: Masking = UNMASKED
    dropout: float = 0.0


def attend(scope: Scope, q: Value, k: Value, v: Value, weighting: Weighting) -> Value:
    """softmax(Q Kᵀ / √d_k + M) V, equation 1: (…, n, k), (…, m, k), (…, m, v) -> (…, n, v)."""
    scale, mask, dropout = weighting
    raw_scores = scope("raw_scores", ATTENTION_SCORES, q, k)  # (head, query, key)
    scores = scope("scores", scale, raw_scores)  # (head, query, key)
    masked_scores = scope("masked_scores", mask.op, scores, *mask.masks)  # (head, query, key)
    weights = scope("weights", SOFTMAX, masked_scores)  # (head, query, key)
    if dropout:
        weights = scope.dropout("weights_dropout", weights, dropout)  # (head, query, key)
    return scope("context", WEIGHTED_SUM, weights, v)  # (head, query, d_v)


def multi_head(scope: Scope, query: Value, key: Value, value: Value, weighting: Weighting) -> Value:
    """Concat(head_1 … head_h) W^O with head_i = Attention(Q W_i^Q, K W_i^K, V W_i^V).

    Section 3.2.2: query (…, n, d), key and value (…, m, d) -> (…, n, d).
    """
    q = scope("q", PROJECT_HEADS, query, *parameters(scope, "W_q", "b_q"))  # (head, query, d_k)
    k = scope("k", PROJECT_HEADS, key, *parameters(scope, "W_k", "b_k"))  # (head, key, d_k)
    v = scope("v", PROJECT_HEADS, value, *parameters(scope, "W_v", "b_v"))  # (head, key, d_v)
    context = attend(scope, q, k, v, weighting)  # (head, query, d_v)
    concat = scope("concat", CONCAT_HEADS, context)  # (query, head·d_v)
    return scope("out", LINEAR, concat, *parameters(scope, "W_o", "b_o"))  # (query, d_model)


def parameters(scope: Scope, weight: str, bias: str) -> tuple[Value, ...]:
    """A weight, and its bias where the model has one."""
    if scope.has(bias):
        return scope.parameter(weight), scope.parameter(bias)
    return (scope.parameter(weight),)


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
    W_q, W_k (h, ·, k), W_v (h, ·, v), W_o (h·v, d) and, if there are any, b_q, b_k (h, k),
    b_v (h, v) and b_o (d,). The additive mask is (…, n, m).
    """
    examples = len(np.asarray(query)) if np.ndim(query) > 2 else None
    scope = Traced(ForwardPass(parameters, {}, examples=examples), kind="self_attn")
    inputs = Traced(scope.forward_pass, kind="multi_head")
    masking = Masking.pairs(None if mask is None else inputs.input("mask", np.asarray(mask)))
    q, k, v = (
        inputs.input(name, np.asarray(x))
        for name, x in (("query", query), ("key", key), ("value", value))
    )
    scale = Scale(parameters["W_q"].shape[-1], r"d_{k}")
    multi_head(scope, q, k, v, Weighting(scale, masking))
    return scope.forward_pass.trace


def unprojected(scope: Scope, x: Value, d_model: int, mask: Masking) -> Value:
    """Attention before there are heads: Q = K = V = E, scores over √d_model.

    A deviation from the paper, kept as a first step to it: every token is compared with every
    other by their embeddings alone, and nothing is learned. x (…, n, d) -> (…, n, d).
    """
    return attend(scope, x, x, x, Weighting(Scale(d_model, r"d_{\mathrm{model}}"), mask))
