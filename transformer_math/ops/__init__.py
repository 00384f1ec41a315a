"""The operations of the model, each one with its value, its explanation and its formula."""

from transformer_math.ops.activation import Activate, gelu, gelu_tanh, relu, silu
from transformer_math.ops.attention import (
    ATTENTION_MASK,
    ATTENTION_SCORES,
    KEY_PADDING_MASK,
    WEIGHTED_SUM,
    Scale,
)
from transformer_math.ops.base import IDENTITY, LEAF, Elementwise, Op
from transformer_math.ops.elementwise import ADD, Dropout
from transformer_math.ops.embedding import Embed, LearnedPositions, SinusoidalPositions
from transformer_math.ops.layer_norm import LayerNorm, layer_norm
from transformer_math.ops.linear import CONCAT_HEADS, LINEAR, PROJECT_HEADS, TIED_LINEAR, linear
from transformer_math.ops.loss import Labels, MeanLoss, TokenLoss, cross_entropy
from transformer_math.ops.softmax import SOFTMAX, log_softmax, softmax

__all__ = [
    "ADD",
    "ATTENTION_MASK",
    "ATTENTION_SCORES",
    "CONCAT_HEADS",
    "IDENTITY",
    "KEY_PADDING_MASK",
    "LEAF",
    "LINEAR",
    "PROJECT_HEADS",
    "SOFTMAX",
    "TIED_LINEAR",
    "WEIGHTED_SUM",
    "Activate",
    "Dropout",
    "Elementwise",
    "Embed",
    "Labels",
    "LayerNorm",
    "LearnedPositions",
    "MeanLoss",
    "Op",
    "Scale",
    "SinusoidalPositions",
    "TokenLoss",
    "cross_entropy",
    "gelu",
    "gelu_tanh",
    "layer_norm",
    "linear",
    "log_softmax",
    "relu",
    "silu",
    "softmax",
]
