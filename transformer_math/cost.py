"""The cost of a layer, counted exactly from its shapes (compare the paper's Table 1)."""

from __future__ import annotations

from dataclasses import dataclass

from transformer_math.arguments import checked
from transformer_math.checks import check_whole
from transformer_math.config import Config


@dataclass(frozen=True)
class LayerCost:
    """Multiply-adds and bytes of one encoder layer on n tokens.

    Attributes:
        projections: Q, K, V and the output projection, O(n · d²).
        scores: Q Kᵀ and the weighted sum of V, O(n² · d).
        feed_forward: both linear maps, O(n · d²).
        weight_bytes: the layer's parameters.
        activation_bytes: the intermediate results, which a backward pass needs.
    """

    projections: int
    scores: int
    feed_forward: int
    weight_bytes: int
    activation_bytes: int

    @property
    def multiply_adds(self) -> int:
        """The multiply-adds of all of the layer's matrix products."""
        return self.projections + self.scores + self.feed_forward


@checked()
def layer_cost(config: Config, n: int) -> LayerCost:
    """Return the cost of one encoder layer on a sequence of n tokens, without batch.

    Raises:
        ValueError: n is below 1.
    """
    check_whole("n", n, 1)
    d, h, f = config.d_model, config.heads, config.feed_forward_width
    k, v = config.key_width, config.value_width
    size = 4 if config.dtype == "float32" else 8
    weights = 2 * d * h * k + d * h * v + h * v * d + 2 * d * f + 4 * d
    if config.attention_bias:
        weights += 2 * h * k + h * v + d
    if config.feed_forward_bias:
        weights += f + d
    # q, k, v; raw, scaled and masked scores and weights; context and concat; out, its dropout,
    # residual and norm of both sublayers; hidden and active units with their dropout.
    activations = n * h * (2 * k + v) + 4 * h * n * n + 2 * n * h * v + 8 * n * d + 3 * n * f
    return LayerCost(
        projections=n * d * h * (2 * k + v) + n * h * v * d,
        scores=h * n * n * (k + v),
        feed_forward=2 * n * d * f,
        weight_bytes=weights * size,
        activation_bytes=activations * size,
    )


def crossover(config: Config) -> float:
    """Return the length n at which the O(n²) part costs as much as the rest of the layer."""
    one = layer_cost(config, 1)
    return (one.projections + one.feed_forward) / one.scores
