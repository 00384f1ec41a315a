"""The mathematics of "Attention Is All You Need" (Vaswani et al., 2017), in NumPy alone."""

from transformer_math import attention, masks, ops, positional
from transformer_math.backward import explain_gradient, gradients
from transformer_math.config import Config, DropoutRates
from transformer_math.cost import LayerCost, layer_cost
from transformer_math.decoding import beam_search, greedy_decode, sample
from transformer_math.explain import explain
from transformer_math.model import Transformer
from transformer_math.recipe import Recipe
from transformer_math.sweep import sweep
from transformer_math.tensor import Tensor
from transformer_math.trace import Trace
from transformer_math.training import Diverged, Progress, Trainer

__all__ = [
    "Config",
    "Diverged",
    "DropoutRates",
    "LayerCost",
    "Progress",
    "Recipe",
    "Tensor",
    "Trace",
    "Trainer",
    "Transformer",
    "attention",
    "beam_search",
    "explain",
    "explain_gradient",
    "gradients",
    "greedy_decode",
    "layer_cost",
    "masks",
    "ops",
    "positional",
    "sample",
    "sweep",
]
