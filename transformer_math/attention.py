"""Attention (Section 3.2).

Shapes: n queries, m keys and values, h heads, d d_model, k d_k, v d_v; … any leading axes. Comments
at the ends of lines give the axes of the result, for one example.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from transformer_math import masks
from transformer_math.checks import check_above
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
    """How an attention masks its scores: for each query and key, for each key, or not at all.

    Attributes:
        op: the operation that adds the mask.
        masks: the mask; empty without one.
    """

    __slots__ = ("op", "masks")

    def __init__(self, op: Op, *masks: Value) -> None:
        self.op = op
        self.masks = masks

    @classmethod
    def pairs(cls, mask: Value | None) -> Masking:
        """With a mask (…, n, m), one number for each query and key; None for no mask."""
        return UNMASKED if mask is None else cls(ATTENTION_MASK, mask)

    @classmethod
    def keys(cls, mask: Value | None) -> Masking:
        """With a mask (…, m), one number for each key, the same for all queries; None for none."""
        return UNMASKED if mask is None else cls(KEY_PADDING_MASK, mask)


UNMASKED = Masking(IDENTITY)


class Weighting(NamedTuple):
    """How scores become attention weights.

    Attributes:
        scale: the operation that scales the scores.
        mask: hides keys from queries.
        dropout: the probability of dropping a weight in training.
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
    """A weight and, if the model has it, its bias."""
    if scope.has(bias):
        return scope.parameter(weight), scope.parameter(bias)
    return (scope.parameter(weight),)


# -- functions of arrays ----------------------------------------------------------------------


def scaled_dot_product_attention(  # noqa: PLR0913 - the arguments that PyTorch has
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    mask: ArrayLike | None = None,
    scale: float | None = None,
    *,
    is_causal: bool = False,
    enable_gqa: bool = False,
    softcap: float | None = None,
    return_weights: bool = True,
) -> Any:
    """Equation 1 for arrays: q (…, n, k), k (…, m, k) and v (…, m, v) give (…, n, v).

    The options are those of PyTorch's function of this name and of ONNX's ``Attention``, with
    three differences: masks must be additive, because libraries disagree on what True means; the
    weights are returned, too; and a query whose keys are all masked gets zeros, not NaN.

    Args:
        q: queries.
        k: keys.
        v: values.
        mask: (…, n, m), added to the scores: 0 for visible keys, −∞ for hidden ones.
        scale: the factor of the scores, 1/√d_k by default.
        is_causal: whether query i sees only the keys j ≤ i, both counted from the start.
        enable_gqa: grouped-query attention, in which k and v (…, g, m, ·) have fewer heads than q
            (…, h, n, k), and h/g successive heads of q share one of theirs (Ainslie et al., 2023).
        softcap: c, which turns scores x into c · tanh(x / c) before masking (Gemma 2); None or 0
            for no cap.
        return_weights: whether to return (context, weights) instead of the context alone; the
            weights are (…, n, m).

    Raises:
        ValueError: the mask is Boolean, the numbers of heads do not fit, or softcap is negative.
    """
    q, k, v = np.asarray(q), np.asarray(k), np.asarray(v)
    if enable_gqa:
        k, v = _for_each_query_head(q, k), _for_each_query_head(q, v)
    scores = ATTENTION_SCORES.forward(q, k) * (
        1 / math.sqrt(q.shape[-1]) if scale is None else scale
    )
    if softcap:
        check_above("softcap", softcap, 0, otherwise=", or None")
        scores = softcap * np.tanh(scores / softcap)
    if is_causal:
        n, m = scores.shape[-2:]
        scores = scores + masks.from_true_means_attend(np.tri(n, m, dtype=bool), scores.dtype)
    if mask is not None:
        if np.asarray(mask).dtype == bool:
            raise ValueError(
                "What True means in a mask differs between libraries: make it additive by "
                "masks.from_true_means_attend or masks.from_true_means_masked."
            )
        scores = scores + np.asarray(mask, scores.dtype)
    weights = softmax(scores)
    context = WEIGHTED_SUM.forward(weights, v)
    return (context, weights) if return_weights else context


def _for_each_query_head(q: np.ndarray, shared: np.ndarray) -> np.ndarray:
    """Keys or values (…, g, m, ·) repeated for the heads of q (…, h, n, k)."""
    if q.ndim < 3 or shared.ndim < 3 or q.shape[-3] % shared.shape[-3]:
        raise ValueError(
            f"Queries {q.shape} and keys or values {shared.shape} have heads as the third axis "
            "from the end, the former a multiple of the latter."
        )
    repeated: np.ndarray = np.repeat(shared, q.shape[-3] // shared.shape[-3], axis=-3)
    return repeated


def multi_head_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    parameters: Mapping[str, np.ndarray],
    mask: ArrayLike | None = None,
) -> Trace:
    """Multi-head attention for arrays, as a trace: ``trace["out"]``, ``trace["weights"]`` …

    Args:
        query: (…, n, d).
        key: (…, m, ·); its width may differ from that of the query, as may that of the value.
        value: (…, m, ·).
        parameters: W_q, W_k (h, ·, k), W_v (h, ·, v), W_o (h·v, d) and, optionally, b_q, b_k
            (h, k), b_v (h, v) and b_o (d,).
        mask: (…, n, m), additive.
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
    """Attention without projections and heads: Q = K = V = x, scores / √d_model.

    Not in the paper, but a first step to it: tokens are compared by their embeddings alone, and
    there are no parameters. x (…, n, d) -> (…, n, d).
    """
    return attend(scope, x, x, x, Weighting(Scale(d_model, r"d_{\mathrm{model}}"), mask))
