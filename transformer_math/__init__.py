"""The mathematics of "Attention Is All You Need" (Vaswani et al., 2017), in NumPy alone.

A wrong argument raises ``ValueError`` with one sentence that describes the valid values. Of its
subclasses, ``NoSuchPath`` is also a ``KeyError``, ``NoSuchFile`` also a ``FileNotFoundError``, and
``UnknownSetting`` and ``WrongArgument`` are also each a ``TypeError``.
"""

from transformer_math import attention, masks, ops, positional
from transformer_math.checks import NoSuchFile, NoSuchPath, UnknownSetting, WrongArgument
from transformer_math.config import Config, DropoutRates
from transformer_math.cost import LayerCost, layer_cost
from transformer_math.data.dates import dates
from transformer_math.data.pairs import pairs, read_csv
from transformer_math.data.phrases import blank_phrases, next_word_phrases, phrases
from transformer_math.data.texts import blanks, classes, next_words
from transformer_math.data.tokenizer import Tokenizer
from transformer_math.decoding import (
    Decoding,
    Sampling,
    beam_search,
    fill_blanks,
    greedy_decode,
    sample,
)
from transformer_math.explain import explain, explain_gradient
from transformer_math.graph.backward import gradients
from transformer_math.graph.sweep import sweep
from transformer_math.graph.trace import Trace
from transformer_math.model import Transformer
from transformer_math.ops.loss import Labels
from transformer_math.ops.tensor import Tensor
from transformer_math.training.evaluation import exact_matches
from transformer_math.training.optimizer import Adam, clip_gradient
from transformer_math.training.recipe import Recipe
from transformer_math.training.schedules import Noam
from transformer_math.training.trainer import Diverged, Progress, Trainer, config_for

__all__ = [
    "Adam",
    "Config",
    "Decoding",
    "Diverged",
    "DropoutRates",
    "Labels",
    "LayerCost",
    "NoSuchFile",
    "NoSuchPath",
    "Noam",
    "Progress",
    "Recipe",
    "Sampling",
    "Tensor",
    "Tokenizer",
    "Trace",
    "Trainer",
    "Transformer",
    "UnknownSetting",
    "WrongArgument",
    "attention",
    "beam_search",
    "blank_phrases",
    "blanks",
    "classes",
    "clip_gradient",
    "config_for",
    "dates",
    "exact_matches",
    "explain",
    "explain_gradient",
    "fill_blanks",
    "gradients",
    "greedy_decode",
    "layer_cost",
    "masks",
    "next_word_phrases",
    "next_words",
    "ops",
    "pairs",
    "phrases",
    "positional",
    "read_csv",
    "sample",
    "sweep",
]
