"""The operations of the model, each one with its value, its explanation and its formula."""

from transformer_math.ops.activation import Activate, gelu, gelu_tanh, relu, silu
from transformer_math.ops.attend import MASK_KEYS, MASK_PAIRS, MATCH_KEYS, MIX, Scale
from transformer_math.ops.base import GIVEN, IDENTITY, Op
from transformer_math.ops.elementwise import ADD, Dropout
from transformer_math.ops.linear import CONCAT_HEADS, LINEAR, PROJECT_HEADS, TIED_LINEAR, linear
from transformer_math.ops.lookup import Embed, Sinusoid, TakeRows
from transformer_math.ops.loss import MeanLoss, TokenLoss, cross_entropy
from transformer_math.ops.norm import LayerNorm, layer_norm
from transformer_math.ops.softmax import SOFTMAX, log_softmax, softmax

__all__ = [
    "ADD",
    "CONCAT_HEADS",
    "GIVEN",
    "IDENTITY",
    "LINEAR",
    "MASK_KEYS",
    "MASK_PAIRS",
    "MATCH_KEYS",
    "MIX",
    "PROJECT_HEADS",
    "SOFTMAX",
    "TIED_LINEAR",
    "Activate",
    "Dropout",
    "Embed",
    "LayerNorm",
    "MeanLoss",
    "Op",
    "Scale",
    "Sinusoid",
    "TakeRows",
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
