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
from transformer_math.arguments import check_shapes, checked
from transformer_math.checks import check_above, naming
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
    """The mask of an attention's scores: for each query and key, for each key, or none.

    Attributes:
        op: the operation that adds the mask.
        masks: the mask; empty if nothing is masked.
    """

    __slots__ = ("op", "masks")

    def __init__(self, op: Op, *masks: Value) -> None:
        self.op = op
        self.masks = masks

    @classmethod
    def pairs(cls, mask: Value | None) -> Masking:
        """Use a mask (…, n, m), with one number for each query and key; None for no mask."""
        return UNMASKED if mask is None else cls(ATTENTION_MASK, mask)

    @classmethod
    def keys(cls, mask: Value | None) -> Masking:
        """Use a mask (…, m), with one number for each key, for all queries; None for no mask."""
        return UNMASKED if mask is None else cls(KEY_PADDING_MASK, mask)


UNMASKED = Masking(IDENTITY)


class Weighting(NamedTuple):
    """The operations that compute attention weights from scores.

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
    """Compute Concat(head_1 … head_h) W^O with head_i = Attention(Q W_i^Q, K W_i^K, V W_i^V).

    Section 3.2.2: query (…, n, d), key and value (…, m, d) -> (…, n, d).
    """
    q = scope("q", PROJECT_HEADS, query, *parameters(scope, "W_q", "b_q"))  # (head, query, d_k)
    k = scope("k", PROJECT_HEADS, key, *parameters(scope, "W_k", "b_k"))  # (head, key, d_k)
    v = scope("v", PROJECT_HEADS, value, *parameters(scope, "W_v", "b_v"))  # (head, key, d_v)
    context = attend(scope, q, k, v, weighting)  # (head, query, d_v)
    concat = scope("concat", CONCAT_HEADS, context)  # (query, head·d_v)
    return scope("out", LINEAR, concat, *parameters(scope, "W_o", "b_o"))  # (query, d_model)


def parameters(scope: Scope, weight: str, bias: str) -> tuple[Value, ...]:
    """Return a weight and, if the model has it, its bias."""
    if scope.has(bias):
        return scope.parameter(weight), scope.parameter(bias)
    return (scope.parameter(weight),)


# -- functions of arrays ----------------------------------------------------------------------


@checked(shapes={"q": "… n d_k", "k": "… m d_k", "v": "… m d_v"})
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
    """Compute equation 1 for arrays: q (…, n, k), k (…, m, k) and v (…, m, v) give (…, n, v).

    The options are those of PyTorch's function of this name and of ONNX's ``Attention``, with
    three differences: masks must be additive, as libraries disagree on the meaning of True; the
    weights are returned, too; and a query whose keys are all masked gets zeros, not NaN.

    Args:
        q: queries.
        k: keys.
        v: values.
        mask: (…, n, m), added to the scores: 0 for visible keys, −∞ for hidden keys.
        scale: the factor of the scores, 1/√d_k by default.
        is_causal: whether query i attends only to keys j ≤ i, both counted from the start.
        enable_gqa: grouped-query attention, in which k and v (…, g, m, ·) have fewer heads than q
            (…, h, n, k), and h/g successive heads of q share one head (Ainslie et al., 2023).
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
    _check_leading(q=q, k=k, v=v)
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
        scores = scores + _additive(mask, scores.shape).astype(scores.dtype)
    weights = softmax(scores)
    context = WEIGHTED_SUM.forward(weights, v)
    return (context, weights) if return_weights else context


def _additive(mask: ArrayLike, shape: tuple[int, ...]) -> np.ndarray:
    """Return a mask that can be added to scores of a shape (…, n, m).

    Raises:
        ValueError: the mask is Boolean, has another shape, or contains +∞.
    """
    array = np.asarray(mask)
    if array.dtype == bool:
        raise ValueError(
            "What True means in a mask differs between libraries: make it additive by "
            "masks.from_true_means_attend or masks.from_true_means_masked."
        )
    try:
        fits = np.broadcast_shapes(array.shape, shape) == shape
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(f"mask is an array that fits the scores {shape}, not {array.shape}.")
    if (array == np.inf).any():
        raise ValueError("mask is 0 for visible keys and −∞ for hidden ones, never +∞.")
    return array


def _check_leading(**arrays: np.ndarray) -> None:
    """Check that the leading axes of arrays, all but their last two, can be broadcast.

    Raises:
        ValueError: the axes cannot be broadcast.
    """
    fronts = {name: array.shape[:-2] for name, array in arrays.items()}
    try:
        np.broadcast_shapes(*fronts.values())
    except ValueError:
        found = " and ".join(f"{name} {front}" for name, front in fronts.items())
        raise ValueError(f"The leading axes of {found} do not fit one another.") from None


def _for_each_query_head(q: np.ndarray, shared: np.ndarray) -> np.ndarray:
    """Repeat keys or values (…, g, m, ·) for the heads of q (…, h, n, k)."""
    if q.ndim < 3 or shared.ndim < 3 or q.shape[-3] % shared.shape[-3]:
        raise ValueError(
            f"With enable_gqa, the third axis from the end counts heads, and those of q {q.shape} "
            f"are a multiple of those of k and v {shared.shape}."
        )
    repeated: np.ndarray = np.repeat(shared, q.shape[-3] // shared.shape[-3], axis=-3)
    return repeated


@checked()
def multi_head_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    parameters: Mapping[str, np.ndarray],
    mask: ArrayLike | None = None,
) -> Trace:
    """Compute multi-head attention for arrays: ``trace["out"]``, ``trace["weights"]`` …

    Args:
        query: (…, n, d).
        key: (…, m, ·); query, key and value may have different widths.
        value: (…, m, ·).
        parameters: W_q, W_k (h, ·, k), W_v (h, ·, v), W_o (h·v, d) and, optionally, b_q, b_k
            (h, k), b_v (h, v) and b_o (d,).
        mask: (…, n, m), additive.

    Raises:
        ValueError: a parameter is missing, or shapes do not fit one another.
    """
    _check_inputs(query, key, value, parameters)
    examples = len(np.asarray(query)) if np.ndim(query) > 2 else None
    scope = Traced(ForwardPass(parameters, {}, examples=examples), kind="self_attn")
    inputs = Traced(scope.forward_pass, kind="multi_head")
    if mask is not None:
        n, m = np.shape(query)[-2], np.shape(key)[-2]
        mask = _additive(mask, (*np.shape(query)[:-2], n, m))
    masking = Masking.pairs(None if mask is None else inputs.input("mask", mask))
    q, k, v = (
        inputs.input(name, np.asarray(x))
        for name, x in (("query", query), ("key", key), ("value", value))
    )
    scale = Scale(parameters["W_q"].shape[-1], r"d_{k}")
    multi_head(scope, q, k, v, Weighting(scale, masking))
    return scope.forward_pass.trace


# The shapes of the parameters of multi-head attention, and of the arrays that they multiply.
_SHAPES = {
    **{"W_q": "h d d_k", "W_k": "h e d_k", "W_v": "h f d_v", "W_o": "h·d_v o"},
    **{"b_q": "h d_k", "b_k": "h d_k", "b_v": "h d_v", "b_o": "o"},
    **{"query": "… n d", "key": "… m e", "value": "… m f"},
}


def _check_inputs(
    query: ArrayLike, key: ArrayLike, value: ArrayLike, parameters: Mapping[str, np.ndarray]
) -> None:
    """Check that the arrays of multi-head attention fit one another.

    Raises:
        ValueError: a parameter is missing or unknown, or a shape does not fit.
    """
    inputs = {"query": query, "key": key, "value": value}
    known = _SHAPES.keys() - inputs.keys()
    if missing := [name for name in ("W_q", "W_k", "W_v", "W_o") if name not in parameters]:
        raise ValueError(f"parameters has no {' and no '.join(missing)}.")
    if unknown := [name for name in parameters if name not in known]:
        raise ValueError(f"parameters has {unknown[0]}, which attention does not use.")
    with naming("parameters"):
        check_shapes(parameters, _SHAPES)
        h, _, width = np.shape(parameters["W_v"])
        if len(parameters["W_o"]) != h * width:
            raise ValueError(f"W_o has {h} · {width} rows, not {len(parameters['W_o'])}.")
    check_shapes({**parameters, **inputs}, _SHAPES)
    ranks = {np.ndim(array) for array in inputs.values()}
    if ranks not in ({2}, {3}):
        raise ValueError("query, key and value are all (n, d), or all (batch, n, d).")
    _check_leading(**{name: np.asarray(array) for name, array in inputs.items()})


def unprojected(scope: Scope, x: Value, d_model: int, mask: Masking) -> Value:
    """Compute attention without projections and heads: Q = K = V = x, scores / √d_model.

    This step toward the paper's attention has no parameters, and compares tokens by their
    embeddings alone. x (…, n, d) -> (…, n, d).
    """
    return attend(scope, x, x, x, Weighting(Scale(d_model, r"d_{\mathrm{model}}"), mask))
