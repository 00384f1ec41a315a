"""Experiments with a trained model: logit lens, activation patching, ablation, and pulling.

None of them changes the model. Their results are values of tensors by path, which can be used as
overrides or as parameters.
"""

from transformer_math.experiments.lens import lens
from transformer_math.experiments.patch import PatchMap, patch_map
from transformer_math.experiments.pull import Pulled, pull
from transformer_math.experiments.pull_problem import Free, Wish
from transformer_math.experiments.silence import mean_values, silenced

__all__ = [
    "Free",
    "PatchMap",
    "Pulled",
    "Wish",
    "lens",
    "mean_values",
    "patch_map",
    "pull",
    "silenced",
]
