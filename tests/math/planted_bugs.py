"""Typical mistakes in rules for gradients, by op.

A wrong rule gets the op, the right gradients, the gradient g of the output, the output y and the
values of the inputs.
"""

from collections.abc import Callable

import numpy as np

from transformer_math import ops
from transformer_math.ops import Op
from transformer_math.ops.attention import (
    AttentionMask,
    AttentionScores,
    KeyPaddingMask,
    WeightedSum,
)
from transformer_math.ops.base import Gradients, Identity, row_sums
from transformer_math.ops.elementwise import Add
from transformer_math.ops.linear import ConcatHeads, Linear, ProjectHeads, TiedLinear
from transformer_math.ops.softmax import Softmax

Bug = Callable[..., Gradients]


def put(right: Gradients, which: int, value: np.ndarray) -> Gradients:
    """Return the right gradients without one; an op without a bias has fewer gradients."""
    return tuple(value if i == which else part for i, part in enumerate(right))


def t(x: np.ndarray) -> np.ndarray:
    return x.swapaxes(-1, -2)


def square(x: np.ndarray) -> bool:
    return x.shape[-1] == x.shape[-2]


def norm_without(term: str) -> Bug:
    """Return the rule of layer norm, written out, without one of its parts."""

    def rule(op, right, g, y, x, gamma, beta):
        d = x.shape[-1]
        centered = x - row_sums(x) / d
        epsilon = 0 if term == "ε" else op.epsilon
        n = d - (op.is_sample and term != "n − 1")
        variance = row_sums(centered**2) / n
        root = np.sqrt(variance)
        deviation = root + epsilon if op.is_sample else np.sqrt(variance + epsilon)
        standard, dx = centered / deviation, g if term == "γ" else g * gamma
        mean = 0 if term == "mean" else row_sums(dx) / d
        along = 0 if term == "along x̂" else standard * row_sums(dx * standard) / n
        if op.is_sample and term != "s + ε beside s":
            along = along * deviation / root
        dx = dx - mean - along
        return dx if term == "σ" else dx / deviation, *right[1:]

    return rule


def last_of_doubles(op, right, g, y, ids, table):
    gradient = np.zeros_like(table)
    gradient[ids] = g * (op._factor if op.scaled else 1)
    return None, gradient


TOKEN_RULE = ops.TokenLoss.backward


def token_rule(smoothing=None, form=None, pad=True) -> Bug:
    """Return the rule of a loss with another setting."""

    def rule(op, right, g, y, *values):
        other = ops.TokenLoss(
            op.smoothing if smoothing is None else smoothing,
            op.form if form is None else form,
            op.pad if pad else None,
        )
        return TOKEN_RULE(other, g, y, *values)

    return rule


BUGS: dict[type[Op], dict[str, Bug]] = {
    Identity: {"a factor": lambda op, right, g, *_: (2 * g,)},
    Add: {
        "nothing for the second": lambda op, right, g, *_: (g, 0 * g),
        "half for each": lambda op, right, g, *_: (g / 2, g / 2),
    },
    ops.Dropout: {
        "no mask": lambda op, right, g, *_: (g / (1 - op.rate),),
        "no factor": lambda op, right, g, *_: (g * op.kept,),
        "the rate for the factor": lambda op, right, g, *_: (g * op.kept / op.rate,),
    },
    Linear: {
        "W not transposed": lambda op, right, g, y, x, W, *_: put(
            right, 0, g @ W if square(W) else right[0]
        ),
        "x not transposed": lambda op, right, g, y, x, *_: put(
            right, 1, x @ g if square(x) else right[1]
        ),
        "one example of a batch": lambda op, right, g, y, x, *_: (
            put(right, 1, t(x)[:1] @ g[:1]) if x.ndim > 2 else right
        ),
        "bias by the mean": lambda op, right, g, *_: put(right, 2, g / g.shape[-2]),
    },
    TiedLinear: {
        "E not transposed": lambda op, right, g, y, x, E, *_: put(
            right, 0, g @ t(E) if square(E) else right[0]
        ),
        "gradient not transposed": lambda op, right, g, y, x, E, *_: put(
            right, 1, t(right[1]) if square(E) else right[1]
        ),
        "the table is only read": lambda op, right, *_: put(right, 1, 0 * right[1]),
    },
    ProjectHeads: {
        "heads in reverse": lambda op, right, *_: put(right, 1, right[1][..., ::-1, :, :]),
        "one head alone": lambda op, right, g, y, x, W, *_: put(
            right, 0, g[..., 0, :, :] @ t(W[0])
        ),
        "bias by the mean": lambda op, right, g, *_: put(right, 2, g.mean(-2)),
    },
    ConcatHeads: {
        "laid out by head": lambda op, right, g, y, z: (g.reshape(z.shape),),
        "heads in reverse": lambda op, right, *_: (right[0][..., ::-1, :, :],),
    },
    AttentionScores: {
        "g not transposed": lambda op, right, g, y, q, k: put(
            right, 1, g @ q if square(g) else right[1]
        ),
        "queries and keys exchanged": lambda op, right, g, y, q, k: (
            right[::-1] if q.shape == k.shape else right
        ),
    },
    ops.Scale: {
        "no scaling": lambda op, right, g, *_: (g,),
        "scaled twice": lambda op, right, g, *_: (g / op.width,),
    },
    AttentionMask: {"half to each": lambda op, right, g, *_: (g / 2, None)},
    KeyPaddingMask: {
        "times the mask": lambda op, right, g, y, s, m: (g * (m[..., None, None, :] > 0), None)
    },
    WeightedSum: {
        "A not transposed": lambda op, right, g, y, a, v: put(
            right, 1, a @ g if square(a) else right[1]
        ),
        "V not transposed": lambda op, right, g, y, a, v: put(
            right, 0, g @ v if square(v) else right[0]
        ),
    },
    Softmax: {
        "each weight by itself": lambda op, right, g, y, x: (g * y * (1 - y),),
        "no sum": lambda op, right, g, y, x: (g * y,),
        "sum without the weights": lambda op, right, g, y, x: (y * (g - row_sums(g)),),
        "along the queries": lambda op, right, g, y, x: (y * (g - (g * y).sum(-2, keepdims=True)),),
        "not times the weights": lambda op, right, g, y, x: (g - row_sums(g * y),),
    },
    ops.LayerNorm: {
        **{f"no {term}": norm_without(term) for term in ("mean", "along x̂", "γ", "σ", "ε")},
        **{f"no {term}": norm_without(term) for term in ("n − 1", "s + ε beside s")},
        "γ from x": lambda op, right, g, y, x, *_: put(right, 1, g * x),
        "γ from y": lambda op, right, g, y, *_: put(right, 1, g * y),
        "β as γ": lambda op, right, *_: put(right, 2, right[1]),
    },
    ops.Activate: {
        "no derivative": lambda op, right, g, *_: (g,),
        "derivative at y": lambda op, right, g, y, x: (g * op.function.derivative(y),),
        "the function for the derivative": lambda op, right, g, y, x: (g * y,),
    },
    ops.Embed: {
        "no √d_model": lambda op, right, *_: (
            None,
            right[1] / op._factor if op.scaled else right[1],
        ),
        "√d_model always": lambda op, right, *_: (
            None,
            right[1] if op.scaled else right[1] * op._factor,
        ),
        "the last of doubles": last_of_doubles,
    },
    ops.LearnedPositions: {
        "one row further": lambda op, right, *_: (None, np.roll(right[1], 1, axis=-2)),
        "the last rows": lambda op, right, *_: (None, right[1][..., ::-1, :]),
    },
    ops.TokenLoss: {
        "padding counts": token_rule(pad=False),
        "no smoothing": token_rule(smoothing=0.0),
        "shares as in PyTorch": token_rule(form="torch"),
        "shares as in the paper": token_rule(form="paper"),
        "not times g": lambda op, right, g, *_: (right[0] / g[..., None], None),
        "no label": lambda op, right, g, y, logits, labels: (
            ops.softmax(logits) * g[..., None],
            None,
        ),
    },
    ops.MeanLoss: {
        "the sum": lambda op, right, g, y, losses, labels: (g * (labels != op.pad), None),
        "padding counts": lambda op, right, g, y, losses, labels: (
            np.full(labels.shape, g / labels.size),
            None,
        ),
        "over all positions": lambda op, right, g, y, losses, labels: (
            g * (labels != op.pad) / labels.size,
            None,
        ),
    },
}
