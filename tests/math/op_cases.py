"""A case for every op: inputs whose sizes all differ, without and with a batch axis in front."""

import importlib
import inspect
import pkgutil
from typing import NamedTuple

import numpy as np

from tests.math.directional import error_along
from transformer_math import ops
from transformer_math.graph.backward import sum_to_shape
from transformer_math.ops.activation import ACTIVATION_FUNCTIONS
from transformer_math.ops.base import Op

B, H, N, M, D, K, V, F, WORDS = 3, 2, 5, 7, 11, 13, 17, 19, 23
PAD = 22


class OpCase(NamedTuple):
    """An op and its inputs.

    Attributes:
        op: the op.
        inputs: arrays; those with real numbers that are no masks have a gradient.
        masks: the indices of inputs that are masks, and have no gradient.
    """

    op: Op
    inputs: tuple[np.ndarray, ...]
    masks: tuple[int, ...] = ()

    @property
    def learned(self) -> list[int]:
        """The indices of the inputs with a gradient."""
        return [i for i, x in enumerate(self.inputs) if x.dtype.kind == "f" and i not in self.masks]


def largest_error(case: OpCase, seed: int = 1) -> float:
    """Return the largest error of the op's gradients from finite differences, input by input."""
    output = case.op.forward(*case.inputs)
    # The loss is a random weighting of the output's cells, so that errors cannot cancel.
    flow = np.random.default_rng(seed).normal(size=output.shape)
    found = case.op.backward(flow, output, *case.inputs)
    assert len(found) == len(case.inputs)
    errors = []
    for which in case.learned:
        gradient = found[which]
        if gradient is None:
            return np.inf

        def loss(moved: dict[str, np.ndarray], which: int = which) -> float:
            inputs = [moved["x"] if i == which else x for i, x in enumerate(case.inputs)]
            return float((flow * case.op.forward(*inputs)).sum())

        x = case.inputs[which]
        given = sum_to_shape(gradient, x.shape)
        # A different seed from the weighting, because equal numbers hide errors of symmetric rules.
        errors.append(error_along(loss, {"x": x}, {"x": given}, 100 + 10 * seed + which))
    return max(errors)


def op_classes() -> set[type[Op]]:
    """Return every op of the package."""
    found = set()
    for module in pkgutil.iter_modules(ops.__path__, f"{ops.__name__}."):
        for _, kind in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            is_base = kind in (Op, ops.Elementwise) or kind.__name__.startswith("_")
            if issubclass(kind, Op) and not is_base:
                found.add(kind)
    return found


def _ids(random: np.random.Generator, *shape: int) -> np.ndarray:
    """Return ids with repetitions and padding."""
    ids = random.integers(0, 4, shape)
    ids[..., -1], ids[..., 0] = PAD, ids[..., 1]
    return ids


def _masked(scores: np.ndarray) -> np.ndarray:
    """Return scores with −∞ above the diagonal, and one row of only −∞."""
    masked = np.where(np.triu(np.ones(scores.shape[-2:], bool), 1), -np.inf, scores)
    masked[..., -1, :] = -np.inf
    return masked


def cases() -> dict[str, OpCase]:
    """Return name -> case; a name begins with the name of the op's class."""
    random = np.random.default_rng(3)

    def r(*shape: int) -> np.ndarray:
        return random.normal(size=shape)

    found = {
        "Add of a batch and one for all": OpCase(ops.ADD, (r(B, N, D), r(N, D))),
        "Embed unscaled": OpCase(ops.Embed(D, False), (_ids(random, N), r(WORDS, D))),
        "Linear of vectors": OpCase(ops.LINEAR, (r(N, D), r(D, F))),
        # With equal sizes, a missing transposition raises no error, but gives wrong numbers.
        "Linear, square": OpCase(ops.LINEAR, (r(N, N), r(N, N))),
        "TiedLinear, square": OpCase(ops.TIED_LINEAR, (r(N, N), r(N, N))),
        "AttentionScores, square": OpCase(ops.ATTENTION_SCORES, (r(N, N), r(N, N))),
        "WeightedSum, square": OpCase(ops.WEIGHTED_SUM, (r(N, N), r(N, N))),
        "AttentionMask alike in a batch": OpCase(
            ops.ATTENTION_MASK, (r(B, H, N, M), r(N, M)), masks=(1,)
        ),
        "TokenLoss of one class": OpCase(
            ops.TokenLoss(0.1, "torch", None), (r(N, 1), np.zeros(N, int))
        ),
    }
    for name, lead in {"": (), " in a batch": (B,)}.items():
        x, scores = r(*lead, N, D), r(*lead, H, N, M)
        ids = _ids(random, *lead, N)
        kept = random.random((*lead, N, D)) < 0.6
        found |= {
            f"Identity{name}": OpCase(ops.IDENTITY, (x,)),
            f"Add{name}": OpCase(ops.ADD, (x, r(*lead, N, D))),
            f"Dropout{name}": OpCase(ops.Dropout(0.4, kept, x.dtype), (x,)),
            f"Linear{name}": OpCase(ops.LINEAR, (x, r(D, F))),
            f"Linear with bias{name}": OpCase(ops.LINEAR, (x, r(D, F), r(F))),
            f"TiedLinear{name}": OpCase(ops.TIED_LINEAR, (x, r(WORDS, D))),
            f"TiedLinear with bias{name}": OpCase(ops.TIED_LINEAR, (x, r(WORDS, D), r(WORDS))),
            f"ProjectHeads{name}": OpCase(ops.PROJECT_HEADS, (x, r(H, D, K))),
            f"ProjectHeads with bias{name}": OpCase(ops.PROJECT_HEADS, (x, r(H, D, K), r(H, K))),
            f"ConcatHeads{name}": OpCase(ops.CONCAT_HEADS, (r(*lead, H, N, V),)),
            f"AttentionScores{name}": OpCase(
                ops.ATTENTION_SCORES, (r(*lead, H, N, K), r(*lead, H, M, K))
            ),
            f"Scale{name}": OpCase(ops.Scale(K, "d_{k}"), (scores,)),
            f"AttentionMask{name}": OpCase(
                ops.ATTENTION_MASK, (scores, r(*lead, N, M)), masks=(1,)
            ),
            f"KeyPaddingMask{name}": OpCase(
                ops.KEY_PADDING_MASK, (scores, r(*lead, M)), masks=(1,)
            ),
            f"WeightedSum{name}": OpCase(ops.WEIGHTED_SUM, (scores, r(*lead, H, M, V))),
            f"Softmax{name}": OpCase(ops.SOFTMAX, (scores,)),
            f"Softmax masked{name}": OpCase(ops.SOFTMAX, (_masked(scores),)),
            f"LayerNorm{name}": OpCase(ops.LayerNorm(1e-5), (2 + 3 * x, r(D), r(D))),
            f"LayerNorm with a large ε{name}": OpCase(ops.LayerNorm(0.5), (x, r(D), r(D))),
            f"LayerNorm of a sample{name}": OpCase(
                ops.LayerNorm(0.5, is_sample=True), (x, r(D), r(D))
            ),
            f"Embed{name}": OpCase(ops.Embed(D, True), (ids, r(WORDS, D))),
            f"SinusoidalPositions{name}": OpCase(
                ops.SinusoidalPositions(D, False, "float64"), (ids,)
            ),
            f"LearnedPositions{name}": OpCase(ops.LearnedPositions(), (ids, r(M, D))),
            f"MeanLoss{name}": OpCase(ops.MeanLoss(PAD), (r(*lead, N), ids)),
            f"MeanLoss without padding{name}": OpCase(ops.MeanLoss(None), (r(*lead, N), ids)),
            f"TokenLoss{name}": OpCase(
                ops.TokenLoss(0.0, "paper", None), (r(*lead, N, WORDS), ids)
            ),
        }
        for kind in ACTIVATION_FUNCTIONS:
            # All inputs are so far from 0 that no step crosses the kink of ReLU.
            away = np.where(np.abs(x) < 1e-2, 0.5, x)
            found[f"Activate {kind}{name}"] = OpCase(ops.Activate(kind), (away,))
        for form in ("paper", "torch"):
            found[f"TokenLoss smoothed, {form}{name}"] = OpCase(
                ops.TokenLoss(0.2, form, PAD), (4 * r(*lead, N, WORDS), ids)
            )
    return found


CASES = cases()
