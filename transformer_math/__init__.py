"""The mathematics of "Attention Is All You Need" (Vaswani et al., 2017), in NumPy alone."""

from transformer_math import attention, masks, ops, positional
from transformer_math.config import Config, DropoutRates
from transformer_math.cost import LayerCost, layer_cost
from transformer_math.explain import explain
from transformer_math.model import Transformer
from transformer_math.sweep import sweep
from transformer_math.tensor import Tensor
from transformer_math.trace import Trace

__all__ = [
    "Config",
    "DropoutRates",
    "LayerCost",
    "Tensor",
    "Trace",
    "Transformer",
    "attention",
    "explain",
    "layer_cost",
    "masks",
    "ops",
    "positional",
    "sweep",
]
