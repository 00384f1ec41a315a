"""The cost of a layer, compared with the shapes of a real pass."""

import math

import pytest

from tests.math.tiny import tiny
from transformer_math import Trace, layer_cost, ops

VARIANTS = {
    "usual": {"attention_bias": False},
    "own_widths": {"heads": 3, "d_k": 5, "d_v": 4},
    "float32": {"dtype": "float32"},
    "no_biases": {"attention_bias": False, "feed_forward_bias": False},
}


def multiply_adds(trace: Trace, path: str) -> int:
    """Return the cells of the result times the length of the inner sum, by the arrays' shapes."""
    tensor = trace[path]
    if tensor.op not in (ops.PROJECT_HEADS, ops.LINEAR, ops.ATTENTION_SCORES, ops.WEIGHTED_SUM):
        return 0
    return math.prod(tensor.shape) * tensor.inputs[0].shape[-1]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("n", [1, 7])
def test_the_cost_equals_the_products_of_a_pass(variant: str, n: int) -> None:
    model = tiny(**VARIANTS[variant], decoder_layers=0)
    trace = model([1] * n, None)
    layer = [path for path in trace.paths() if path.startswith("encoder.0.")]

    def total(*leaves: str) -> int:
        return sum(multiply_adds(trace, p) for p in layer if p.rpartition(".")[2] in leaves)

    cost = layer_cost(model.config, n)
    attention_out = multiply_adds(trace, "encoder.0.self_attn.out")
    assert cost.projections == total("q", "k", "v") + attention_out
    assert cost.scores == total("raw_scores", "context")
    assert cost.feed_forward == total("hidden", "out") - attention_out
    assert cost.multiply_adds == sum(multiply_adds(trace, path) for path in layer)
    weights = sum(trace[path].value.nbytes for path in layer if trace[path].is_leaf)
    assert cost.weight_bytes == weights
    kept = sum(trace[path].value.nbytes for path in layer if not trace[path].is_leaf)
    assert cost.activation_bytes == kept
