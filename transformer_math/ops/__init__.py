"""The operations of the model, each with its value, its explanation and its formula.

The functions check their arguments; the operations call them without these checks.
"""

from transformer_math.arguments import checked
from transformer_math.ops import activation as _activation
from transformer_math.ops.activation import Activate
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
from transformer_math.ops.layer_norm import LayerNorm
from transformer_math.ops.layer_norm import layer_norm as _layer_norm
from transformer_math.ops.linear import CONCAT_HEADS, LINEAR, PROJECT_HEADS, TIED_LINEAR
from transformer_math.ops.linear import linear as _linear
from transformer_math.ops.loss import Labels, MeanLoss, TokenLoss
from transformer_math.ops.loss import cross_entropy as _cross_entropy
from transformer_math.ops.softmax import SOFTMAX
from transformer_math.ops.softmax import log_softmax as _log_softmax
from transformer_math.ops.softmax import softmax as _softmax

relu = checked(reals=["x"])(_activation.relu)
gelu = checked(reals=["x"])(_activation.gelu)
gelu_tanh = checked(reals=["x"])(_activation.gelu_tanh)
silu = checked(reals=["x"])(_activation.silu)
softmax = checked(reals=["x"], shapes={"x": "… n"})(_softmax)
log_softmax = checked(reals=["x"], shapes={"x": "… n"})(_log_softmax)
layer_norm = checked(reals=["x", "gamma", "beta"], shapes={"x": "… d", "gamma": "d", "beta": "d"})(
    _layer_norm
)
linear = checked(reals=["x", "W", "b"], shapes={"x": "… d", "W": "d f", "b": "f"})(_linear)
cross_entropy = checked(reals=["logits", "weights"], shapes={"logits": "… V", "weights": "V"})(
    _cross_entropy
)

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
